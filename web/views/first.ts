import { useAnswer } from '../state/answers';
import { findingsOf } from '../state/finding';
import { activeRunId, openRuns } from '../state/runs';
import type { ViewId } from '../state/view';

/** Data begins with the half that the first finding about either is about. */
export function useWorseHalf(): ViewId | undefined {
  const { table, pending } = useAnswer(activeRunId.value, 'findings');
  if (!table) return pending ? undefined : 'compute';
  const about = findingsOf(table).map(({ view }) => view);
  return about.find((id) => id === 'compute' || id === 'read') ?? 'compute';
}

/** What is open decides how runs are looked at side by side. */
export function useWhatIsOpen(): ViewId {
  const runs = openRuns.value;
  if (runs.length === 2) return 'compare';
  const isOneSize = new Set(runs.map(({ workers }) => workers)).size === 1;
  const isSeries = runs.some(({ digest }) => digest === 1) || isOneSize;
  return runs.length > 2 && isSeries ? 'history' : 'scaling';
}
