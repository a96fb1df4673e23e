import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const fineView = defineView({
  id: 'fine',
  title: 'Fine metrics',
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./FineView')).FineView),
});
