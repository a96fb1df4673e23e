import { useState } from 'preact/hooks';
import { type Checks, checksOf, partsOf } from '../../domain/checks';
import { notesOf } from '../../domain/notes';
import { fullSentence } from '../../domain/sentenceCase';
import type { DataNote } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { count, fixed } from '../../plot/format';
import { type Answer, useAnswer } from '../../state/answers';
import { findingsOf } from '../../state/finding';
import { activeRun } from '../../state/runs';
import { Panel } from '../common/Panel';
import { recordRun } from '../common/recording';
import { Segmented } from '../common/Segmented';
import { SeverityChip } from '../common/SeverityChip';
import { Snippet } from '../common/Snippet';
import { ViewVerdict } from '../common/ViewVerdict';
import { SourcesPanel } from './SourcesPanel';

type Shown = 'all' | DataNote['severity'];

const titles: Record<Shown, string> = { all: 'All', high: 'High', medium: 'Medium', low: 'Low' };

/** What can this recording answer, and can it be trusted? */
export function RecordingView() {
  const run = activeRun.value;
  const answer = useAnswer(run?.id, 'quality');
  const rules = useAnswer(run?.id, 'rules');
  const findings = useAnswer(run?.id, 'findings').table;
  const checks = rules.table && checksOf(rules.table, findings ? findingsOf(findings) : []);
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
    <div class="stack" data-testid="view-recording">
      <ViewVerdict
        text={checks ? coverageText(checks) : ''}
        limits={checks && answer.table ? limitsText(checks, notes) : ''}
        testId="recording-verdict"
      />
      <div class="grid">
        <div class="span-8 stack">
          <PartsPanel answer={rules} />
          <Panel
            title="Notes"
            subtitle="doubtful, corrected or unreadable; most serious first"
            answers={[answer]}
            data={answer.table}
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
        </div>
        <div class="span-4 stack">
          {checks && checks.notRun > 0 ? (
            <Panel title="Record the rest next time">
              <Snippet code={recordRun} />
            </Panel>
          ) : null}
          <SourcesPanel />
          {run?.clock_basis ? (
            <Panel title="Clocks">
              <p class="muted">{fullSentence(run.clock_basis)}</p>
            </Panel>
          ) : null}
        </div>
      </div>
    </div>
  );
}

const coverageText = ({ all, ran, notRun }: Checks): string =>
  notRun === 0
    ? 'This recording has all that Crema checks.'
    : `This recording allows ${count(ran)} of ${count(all)} checks.`;

function limitsText({ missing }: Checks, notes: readonly DataNote[]): string {
  const doubtful = notes.filter(({ severity }) => severity !== 'low').length;
  return [
    missing.length > 0 ? `Not recorded: ${missing.join(', ')}.` : '',
    doubtful === 0
      ? 'Nothing casts doubt on its numbers.'
      : `${count(doubtful)} ${doubtful === 1 ? 'note casts' : 'notes cast'} doubt on its numbers.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function PartsPanel({ answer }: { answer: Answer }) {
  const table = answer.table as Table<'rules'> | undefined;
  return (
    <Panel
      title="What this recording can answer"
      subtitle="each part, and what is checked with it"
      answers={[answer]}
      data={table}
      testId="parts"
    >
      <ul class="parts-list">
        {(table ? partsOf(table) : []).map(({ part, recorded, looksAt }) => (
          <li key={part}>
            <span class={recorded ? 'good-mark' : 'bad-mark'} aria-hidden="true">
              {recorded ? '✓' : '✕'}
            </span>
            <span>
              <b>{part}</b>
              {recorded ? '' : ': not recorded'}
            </span>
            <span class="muted">{looksAt.join(', ')}</span>
          </li>
        ))}
      </ul>
    </Panel>
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
