import { ofRuns } from '../../state/pair';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const scalingView = defineView({
  id: 'scaling',
  title: 'Scaling',
  asks: 'Do more cores help?',
  was: ['Scaling'],
  params: ofRuns,
  needs: { recording: true, runs: 3 },
  load: later(async () => (await import('./ScalingView')).ScalingView),
});
