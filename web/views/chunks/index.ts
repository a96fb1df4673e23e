import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const computeView = defineView({
  id: 'compute',
  title: 'Compute',
  asks: 'A slow dataset or chunk?',
  was: ['chunks', 'Chunks'],
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./ChunksView')).ChunksView),
});
