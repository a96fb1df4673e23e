import { notesOf } from '../../domain/notes';
import { useAnswer } from '../../state/answers';
import { activeRun } from '../../state/runs';
import { view } from '../../state/view';

const shownAtMost = 3;

const markOf = (severity: string): string => (severity === 'high' ? 'bad-mark' : 'warn-mark');

/** The most serious notes on the data, beside the numbers that they are about. */
export function QualityLine() {
  const run = activeRun.value;
  const answer = useAnswer(run?.id, 'quality');
  if (!answer.table) return null;
  const notes = notesOf(answer.table, run?.strayNotes ?? []);
  const doubtful = notes.filter((note) => note.severity !== 'low');
  // the same sentence about several files is said once here; the list of notes names the files
  const distinct = new Map(doubtful.map((note) => [note.message, note]));
  const shown = [...distinct.values()].slice(0, shownAtMost);
  return (
    <section class="panel" aria-label="Data quality">
      <div class="quality-line">
        <b>Data quality</b>
        <ul>
          {shown.length === 0 ? (
            <li>
              <span class="good-mark" aria-hidden="true">
                ✓
              </span>{' '}
              {notes.length === 0 ? 'no problem was found' : 'nothing serious: minor notes only'}
            </li>
          ) : null}
          {shown.map((note) => (
            <li key={`${note.id}${note.path}${note.message}`} title={note.message}>
              <span class={markOf(note.severity)} aria-hidden="true">
                ▲
              </span>{' '}
              {note.message}
            </li>
          ))}
        </ul>
        <button
          type="button"
          class="link"
          onClick={() => {
            view.value = 'recording';
          }}
        >
          All notes ({notes.length}) ›
        </button>
      </div>
    </section>
  );
}
