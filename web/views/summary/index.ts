import { coreTimeOptions, coreTimeSplit, coreTimeZoom, ofCoreTime } from '../../state/coreTime';
import { prefetched } from '../../state/prefetch';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const summaryView = defineView({
  id: 'summary',
  title: 'Summary',
  params: ofCoreTime,
  needs: { recording: true, runs: 1 },
  prefetch: (run, _, said) => {
    // the picture first: the numbers above it are made of much of what it is made of
    prefetched(run, 'core_time_tree', coreTimeOptions(said(coreTimeSplit), said(coreTimeZoom)));
    prefetched(run, 'summary');
    prefetched(run, 'budget');
    prefetched(run, 'datasets');
  },
  load: later(async () => (await import('./SummaryView')).SummaryView),
});
