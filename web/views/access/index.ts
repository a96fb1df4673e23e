import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const readView = defineView({
  id: 'read',
  title: 'Read',
  asks: 'Storage? Branches?',
  was: ['access', 'Input'],
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./AccessView')).AccessView),
});
