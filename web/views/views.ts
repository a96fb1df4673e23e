import type { ViewId } from '../state/view';
import { type Later, later } from '../ui/later';

/**
 * What is drawn for each tab: the list of views. Their code comes when they are first looked at, or
 * before, when there is time.
 */
const components: Record<ViewId, Later<object>> = {
  summary: later(async () => (await import('./summary/SummaryView')).SummaryView),
  timelines: later(async () => (await import('./timelines/TimelinesView')).TimelinesView),
  fine: later(async () => (await import('./fine/FineView')).FineView),
  chunks: later(async () => (await import('./chunks/ChunksView')).ChunksView),
  access: later(async () => (await import('./access/AccessView')).AccessView),
  flame: later(async () => (await import('./flame/FlameView')).FlameView),
  workers: later(async () => (await import('./workers/WorkersView')).WorkersView),
  compare: later(async () => (await import('./compare/CompareView')).CompareView),
  scaling: later(async () => (await import('./scaling/ScalingView')).ScalingView),
  history: later(async () => (await import('./history/HistoryView')).HistoryView),
  notes: later(async () => (await import('./notes/NotesView')).NotesView),
};

export const viewOf = (id: ViewId): Later<object> => components[id];
