import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const accessView = defineView({
  id: 'access',
  title: 'Input',
  key: '5',
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./AccessView')).AccessView),
});
