import { findingsOf } from '../state/finding';
import { openRuns } from '../state/runs';
import { useAnswer } from '../state/useAnswer';
import { provideTabs, type Tab, type View, type ViewId } from '../state/view';
import { readView } from './access/index';
import { computeView } from './chunks/index';
import { compareView } from './compare/index';
import { fineView } from './fine/index';
import { flameView } from './flame/index';
import { historyView } from './history/index';
import { recordingView } from './notes/index';
import { scalingView } from './scaling/index';
import { summaryView } from './summary/index';
import { timelinesView } from './timelines/index';

const alone = (view: View): Tab => ({ id: view.id, title: view.title, views: [view] });

provideTabs([
  alone(summaryView),
  alone(timelinesView),
  alone(fineView),
  alone(flameView),
  { id: 'data', title: 'Data', views: [computeView, readView], useFirst: useWorseHalf },
  {
    id: 'runs',
    title: 'Runs',
    views: [compareView, scalingView, historyView],
    useFirst: useWhatIsOpen,
  },
  alone(recordingView),
]);

/** Data begins with the half that the first finding about either is about. */
function useWorseHalf(): ViewId | undefined {
  const { table, pending } = useAnswer('findings');
  if (!table) return pending ? undefined : 'compute';
  const about = findingsOf(table).map(({ view }) => view);
  return about.find((id) => id === 'compute' || id === 'read') ?? 'compute';
}

/** What is open decides how runs are looked at side by side. */
function useWhatIsOpen(): ViewId {
  const runs = openRuns.value;
  if (runs.length === 2) return 'compare';
  const isOneSize = new Set(runs.map(({ workers }) => workers)).size === 1;
  const isSeries = runs.some(({ digest }) => digest === 1) || isOneSize;
  return runs.length > 2 && isSeries ? 'history' : 'scaling';
}
