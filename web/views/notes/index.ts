import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const notesView = defineView({
  id: 'notes',
  title: 'Data notes',
  key: '9',
  needs: { recording: false, runs: 1 },
  load: later(async () => (await import('./NotesView')).NotesView),
});
