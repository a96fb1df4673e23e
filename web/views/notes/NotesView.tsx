import { useState } from 'preact/hooks';
import { notesOf } from '../../domain/notes';
import { fullSentence } from '../../domain/sentenceCase';
import type { DataNote } from '../../engine/engine';
import { count, fixed } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRun } from '../../state/runs';
import { Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';
import { SeverityChip } from '../common/SeverityChip';
import { SourcesPanel } from './SourcesPanel';

type Shown = 'all' | DataNote['severity'];

const titles: Record<Shown, string> = { all: 'All', high: 'High', medium: 'Medium', low: 'Low' };

/** What was recognised, what was not, what is doubtful. */
export function NotesView() {
  const run = activeRun.value;
  const answer = useAnswer(run?.id, 'quality');
  const [wanted, setWanted] = useState<Shown>('all');
  const notes = answer.table ? notesOf(answer.table, run?.strayNotes ?? []) : [];
  const of = (severity: Shown) =>
    notes.filter((note) => severity === 'all' || note.severity === severity);
  const options = (['all', 'high', 'medium', 'low'] as const).map((id) => ({
    id,
    title: `${titles[id]} ${fixed(of(id).length, 0)}`,
  }));
  const shown = of(wanted);
  return (
    <div class="grid" data-testid="view-notes">
      <Panel
        title="Data notes"
        subtitle="doubtful, corrected or unreadable; most serious first"
        answers={[answer]}
        twin={answer.table}
        className="span-8"
        testId="notes"
        actions={
          notes.length > 0 ? (
            <Segmented
              name="notes"
              label="Severity"
              options={options}
              value={wanted}
              onChange={setWanted}
            />
          ) : null
        }
      >
        {answer.table && notes.length === 0 ? (
          <p class="muted">No problem was found in this bundle.</p>
        ) : null}
        {notes.length > 0 && shown.length === 0 ? (
          <p class="muted">No note of this severity.</p>
        ) : null}
        <ul class="notes-list">
          {shown.map((note) => (
            <NoteRow key={`${note.id} ${note.file} ${note.path} ${note.message}`} note={note} />
          ))}
        </ul>
      </Panel>
      <div class="span-4 stack">
        <SourcesPanel />
        {run?.clock_basis ? (
          <Panel title="Clocks">
            <p class="muted">{fullSentence(run.clock_basis)}</p>
          </Panel>
        ) : null}
      </div>
    </div>
  );
}

function NoteRow({ note }: { note: DataNote }) {
  const where = [
    note.file,
    note.path,
    note.offset === undefined ? '' : `byte ${fixed(note.offset, 0)}`,
  ].filter(Boolean);
  return (
    <li data-testid={`note-${note.id}`}>
      <span>
        <SeverityChip severity={note.severity} />
      </span>
      <span>{note.message}</span>
      {note.count > 1 ? <span class="count">{count(note.count)}×</span> : null}
      {where.length > 0 ? <span class="where mono">{where.join(' · ')}</span> : null}
    </li>
  );
}
