import { levelOptions } from '../../state/chances';
import { prefetched } from '../../state/prefetch';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const historyView = defineView({
  id: 'history',
  title: 'History',
  asks: 'Since when is it slower?',
  was: ['History'],
  needs: { recording: false, runs: 3 },
  prefetch: (_, all) => {
    prefetched(all, 'history');
    prefetched(all, 'history_series');
    prefetched(all, 'history_levels', levelOptions());
  },
  load: later(async () => (await import('./HistoryView')).HistoryView),
});
