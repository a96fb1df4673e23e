import type { HistoryRun } from '../../domain/runHistory';
import { listed } from '../../plot/format';
import { openRuns } from '../../state/runs';
import { startText } from '../common/selectionText';

/** When a run was recorded: the day, with the time where another run is of the same day. */
export function recordedText(runs: readonly HistoryRun[], row: number): string {
  const own = runs[row];
  if (!own) return '';
  const isAlone = runs.every((run) => run === own || run.day !== own.day);
  const open = isAlone ? undefined : openRuns.value.find(({ id }) => id === own.run);
  return (open && startText(open)) || own.day;
}

/** "run 18, 2026-10-18" */
export const runText = (runs: readonly HistoryRun[], row: number): string =>
  listed([runs[row]?.title, recordedText(runs, row)], ', ');
