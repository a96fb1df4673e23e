import { ofRuns } from '../../state/pair';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const compareView = defineView({
  id: 'compare',
  title: 'Before and after',
  asks: 'What changed?',
  was: ['Compare'],
  params: ofRuns,
  needs: { recording: true, runs: 2 },
  load: later(async () => (await import('./CompareView')).CompareView),
});
