import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const workersView = defineView({
  id: 'workers',
  title: 'Table',
  asks: 'Which worker is slow?',
  was: ['Workers'],
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./WorkersView')).WorkersView),
});
