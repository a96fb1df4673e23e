import { useMemo } from 'preact/hooks';
import { notesOf } from '../../domain/notes';
import { fullSentence } from '../../domain/sentenceCase';
import type { DataNote } from '../../engine/engine';
import { type Row, rowsOf } from '../../engine/table';
import { coreTime, count, duration, fixed } from '../../plot/format';
import { activeRun } from '../../state/runs';
import { selection } from '../../state/selection';
import { put } from '../../state/setter';
import { type Answer, useAnswer } from '../../state/useAnswer';
import { view, viewTitle } from '../../state/view';
import { Button } from '../../ui/Button';
import { Grid } from '../../ui/sight';
import { noteText, Panel } from '../common/Panel';
import { PathText } from '../common/PathText';
import { recordRun } from '../common/recording';
import { SeverityChip } from '../common/SeverityChip';
import { Snippet } from '../common/Snippet';
import { ViewVerdict } from '../common/ViewVerdict';
import { useWhatIf } from '../common/WhatIfRows';
import { type Answerable, answerableOf } from './answerable';
import { SourcesPanel } from './SourcesPanel';
import { WorkerChangesPanel } from './WorkerChangesPanel';

/** What can this recording answer, and can it be trusted? */
export function RecordingView() {
  const run = activeRun.value;
  const answer = useAnswer('quality');
  const rules = useAnswer('rules');
  const failures = useAnswer('failures', selection.value);
  const sources = useAnswer('sources');
  const isRecorded = sources.table
    ? rowsOf(sources.table).some(({ format }) => format === 'task_index')
    : true;
  const whatIf = useWhatIf();
  // what else is known of it comes at once: marks that change are read twice
  const questions = useMemo(
    () => (rules.table && !whatIf.pending ? answerableOf(rules.table, whatIf.table) : []),
    [rules.table, whatIf.table, whatIf.pending],
  );
  const notes = answer.table ? notesOf(answer.table, run?.strayNotes ?? []) : [];
  return (
    <div class="stack" data-testid="view-recording">
      <ViewVerdict
        text={questions.length > 0 ? coverageText(questions) : ''}
        limits={[
          answer.table ? trustText(notes) : '',
          failures.table?.rows === 0
            ? fullSentence(noteText(failures, 'missing') || 'No task failed')
            : '',
        ].join(' ')}
        testId="recording-verdict"
      />
      <Grid>
        <div class="span-8 stack">
          <QuestionsPanel answer={rules} questions={questions} />
          <FailuresPanel />
          <WorkerChangesPanel />
          <Panel
            title="Notes"
            subtitle="doubtful, corrected or unreadable; most serious first"
            answer={answer}
            testId="notes"
          >
            {answer.table && notes.length === 0 ? (
              <p class="muted">No problem was found in this bundle.</p>
            ) : null}
            <ul class="notes-list">
              {notes.map((note) => (
                <NoteRow key={`${note.id} ${note.file} ${note.path} ${note.message}`} note={note} />
              ))}
            </ul>
          </Panel>
        </div>
        <div class="span-4 stack">
          {!isRecorded && questions.some(({ answered }) => answered !== 'yes') ? (
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
      </Grid>
    </div>
  );
}

function coverageText(questions: readonly Answerable[]): string {
  const of = (answered: Answerable['answered']) =>
    questions.filter((question) => question.answered === answered).length;
  const [all, yes, part] = [questions.length, of('yes'), of('in part')].map((some) =>
    fixed(some, 0),
  );
  if (yes === all) return `This recording answers all ${all} questions.`;
  return `This recording answers ${yes} of ${all} questions${of('in part') > 0 ? `, and ${part} in part` : ''}.`;
}

function trustText(notes: readonly DataNote[]): string {
  const doubtful = notes.filter(({ severity }) => severity !== 'low').length;
  return doubtful === 0
    ? 'Nothing casts doubt on its numbers.'
    : `${count(doubtful)} ${doubtful === 1 ? 'note casts' : 'notes cast'} doubt on its numbers.`;
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
      {note.count > 1 ? <span class="count small muted">{count(note.count)}×</span> : null}
      {where.length > 0 ? <span class="where mono tiny muted">{where.join(' · ')}</span> : null}
    </li>
  );
}

const marks = {
  yes: { sign: '✓', colour: 'good-mark' },
  'in part': { sign: '◐', colour: 'warn-mark' },
  no: { sign: '✕', colour: 'bad-mark' },
} as const;

interface QuestionsPanelProps {
  /** of `rules` */
  answer: Answer;
  questions: readonly Answerable[];
}

/** Ten questions: answered or not, by what, and what is missing. */
function QuestionsPanel({ answer, questions }: QuestionsPanelProps) {
  return (
    <Panel
      title="What this recording can answer"
      subtitle="✓ yes · ◐ in part · ✕ no"
      answer={answer}
      testId="questions"
    >
      <ul class="questions">
        {questions.map(({ asks, answered, restsOn, missing, view: id }) => (
          <li key={asks} data-testid={`question-${id}`}>
            <span class={marks[answered].colour} role="img" aria-label={answered}>
              {marks[answered].sign}
            </span>
            <b>{asks}</b>
            <span class="muted small">
              {answered === 'yes' ? restsOn.join(', ') : `missing: ${missing.join(', ')}`}
            </span>
            <Button class="link" onClick={put(view, id)}>
              {viewTitle(id)}&#8201;›
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What failed, where and why, how often, and whether another attempt succeeded. */
function FailuresPanel() {
  const answer = useAnswer('failures', selection.value);
  const failures = rowsOf(answer.table);
  if (failures.length === 0) return null;
  return (
    <Panel
      title="Failures"
      subtitle="each way in which tasks failed"
      answer={answer}
      testId="failures"
    >
      <ul class="notes-list failures">
        {failures.map((failure) => (
          <FailureRow
            key={`${failure.task} ${failure.exception} ${failure.frame}`}
            failure={failure}
          />
        ))}
      </ul>
    </Panel>
  );
}

function FailureRow({ failure }: { failure: Row<'failures'> }) {
  const { task, exception, message, frame, file, dataset, attempts, core_seconds: cost } = failure;
  const { entry_start: begin, entry_stop: end, first, last } = failure;
  return (
    <li>
      <span>
        <b>{exception || (failure.lost > 0 ? 'The worker ended' : 'Unknown exception')}</b>
        {message ? `: ${message}` : ''}
      </span>
      <span class="count small muted">{fateText(failure)}</span>
      <span class="where tiny muted">
        {task}
        {first < last ? `, ${duration(first)} to ${duration(last)}` : `, at ${duration(first)}`}
        {Number.isFinite(cost)
          ? ` · ${coreTime(cost)} in ${count(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}`
          : ''}
      </span>
      {file ? (
        <span class="where tiny muted">
          {attempts > 1 ? 'first in ' : ''}
          <PathText path={file} />
          {Number.isFinite(begin) ? `, events ${count(begin)}–${count(end)}` : ''}
          {dataset ? ` of ${dataset}` : ''}
        </span>
      ) : null}
      {frame ? <span class="where mono tiny muted">{frame}</span> : null}
    </li>
  );
}

/** What became of the work whose attempts failed so. */
function fateText({ items, recovered, skipped, attempts }: Row<'failures'>): string {
  if (skipped > 0) return `${count(skipped)} left out`;
  if (!Number.isFinite(items)) return `${count(attempts)}×`;
  return recovered === items
    ? `${count(items)} repeated, all succeeded`
    : `${count(recovered)} of ${count(items)} succeeded later`;
}
