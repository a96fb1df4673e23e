import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const recordingView = defineView({
  id: 'recording',
  title: 'Recording',
  was: ['notes', 'Data notes'],
  needs: { recording: false, runs: 1 },
  load: later(async () => (await import('./NotesView')).RecordingView),
});
