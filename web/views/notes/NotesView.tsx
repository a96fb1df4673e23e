import { count, fixed } from '../../charts/format';
import type { Doubt } from '../../engine/engine';
import { useAnswer } from '../../state/answers';
import { activeRun } from '../../state/runs';
import { Panel } from '../common/Panel';
import { sentenceCase } from '../common/sentenceCase';
import { notesOf } from './notes';
import { SourcesPanel } from './SourcesPanel';

const severityName = { high: 'High', medium: 'Medium', low: 'Low' } as const;

/** What was recognised, what was not, what is doubtful. */
export function NotesView() {
  const run = activeRun.value;
  const answer = useAnswer(run?.id, 'quality');
  const notes = answer.table ? notesOf(answer.table, run?.strayDoubts ?? []) : [];
  return (
    <div class="grid" data-testid="view-notes">
      <Panel
        title="Data notes"
        subtitle="what is doubtful, corrected or could not be read; gravest first"
        answers={[answer]}
        className="span-8"
        testId="notes"
      >
        {answer.table && notes.length === 0 ? <p class="muted">Nothing doubtful was found in this bundle.</p> : null}
        <ul class="notes-list">
          {notes.map((note) => (
            <NoteRow key={`${note.id} ${note.file} ${note.path} ${note.message}`} note={note} />
          ))}
        </ul>
      </Panel>
      <div class="span-4 stack">
        <SourcesPanel />
        {run?.clockBasis ? (
          <Panel title="Clocks">
            <p class="muted">{sentenceCase(run.clockBasis)}.</p>
          </Panel>
        ) : null}
      </div>
    </div>
  );
}

function NoteRow({ note }: { note: Doubt }) {
  const where = [note.file, note.path, note.offset === undefined ? '' : `byte ${fixed(note.offset, 0)}`].filter(
    Boolean,
  );
  return (
    <li data-testid={`note-${note.id}`}>
      <span>
        <span class={`note-severity ${note.severity}`}>{severityName[note.severity]}</span>
      </span>
      <span>{note.message}</span>
      {note.count > 1 ? <span class="count">{count(note.count)}×</span> : null}
      {where.length > 0 ? <span class="where mono">{where.join(' · ')}</span> : null}
    </li>
  );
}
