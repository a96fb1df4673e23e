import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const chunksView = defineView({
  id: 'chunks',
  title: 'Chunks',
  key: '4',
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./ChunksView')).ChunksView),
});
