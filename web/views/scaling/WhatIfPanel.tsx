import { computed, signal } from '@preact/signals';
import { isDecided } from '../../domain/prediction';
import { sentenceCase } from '../../domain/sentenceCase';
import type { OptionsOf } from '../../engine/questions';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { type AxisRow, AxisRows, type Place } from '../../plot/AxisRows';
import { count, duration, durationRange, partsText, percentPart, signed } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { useAnswer, useAnswerOf } from '../../state/answers';
import { activeRun, openRuns } from '../../state/runs';
import { selection } from '../../state/selection';
import { setter } from '../../state/setter';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { optionsOf, Select } from '../common/Select';

/** What is asked, as typed; '' leaves it to the core. */
const asked = {
  cores: signal(''),
  workers: signal(''),
  chunk_events: signal(''),
  part: signal(''),
  times: signal(''),
};

const options = computed((): OptionsOf<'whatif'> => {
  const of = (name: keyof typeof asked) => asked[name].value.replaceAll(' ', '');
  const times = Number(asked.times.value);
  return {
    ...(of('cores') ? { cores: of('cores') } : {}),
    ...(of('workers') ? { workers: of('workers') } : {}),
    ...(of('chunk_events') ? { chunk_events: of('chunk_events') } : {}),
    ...(asked.part.value ? { part: asked.part.value } : {}),
    ...(asked.part.value && times > 0 ? { times } : {}),
  };
});

/**
 * One run replayed otherwise: what other clusters, chunks or orders would have given, and how far
 * that can be trusted.
 */
export function WhatIfPanel() {
  const run = activeRun.value;
  // The others tell how tasks slow each other down, where they are of the same work.
  const others = openRuns.value.filter(({ id, digest }) => id !== run?.id && digest !== 1);
  const answer = useAnswerOf(
    run ? [run.id, ...others.map(({ id }) => id)] : [],
    'whatif',
    selection.value,
    options.value,
  );
  const bounds = useAnswer(run?.id, 'bounds');
  const { table } = answer;
  const error = table?.rows ? table.number('calibration_error', 0) : Number.NaN;
  return (
    <Panel
      title="What if"
      subtitle={[
        run ? `${run.title}, simulated from its chunks; hatched: cannot tell` : '',
        Number.isFinite(error) ? `as recorded ${errorText(error)}` : '',
        noteText(answer, 'selection'),
      ]
        .filter(Boolean)
        .join(' · ')}
      answers={[answer, bounds]}
      data={table}
      testId="whatif"
    >
      <div class="whatif-asked">
        <Asked name="cores" title="Cores" example="2, 8, 32" />
        <Asked name="workers" title="Workers × threads" example="8x1, 4x2" />
        <Asked name="chunk_events" title="Events per chunk" example="50000" />
        <Parts />
        <Asked name="times" title="times as fast" example="2" />
      </div>
      {table && table.rows > 0 ? (
        <Scenarios table={table} happened={run?.elapsed ?? Number.NaN} />
      ) : null}
      {table && table.rows === 0 ? (
        <Absent
          title="Nothing to simulate"
          reason={noteText(answer, 'missing') || 'the run has no chunks'}
          addable
        />
      ) : null}
      {noteText(bounds, 'advice') ? (
        <p class="whatif-bounds" data-testid="bounds">
          {sentenceCase(noteText(bounds, 'advice'))}.
        </p>
      ) : null}
    </Panel>
  );
}

/** A field of what is asked; heeded when it is left or Enter is pressed. */
function Asked({
  name,
  title,
  example,
}: {
  name: keyof typeof asked;
  title: string;
  example: string;
}) {
  return (
    <label class="target-field">
      {title}
      <input
        type="text"
        size={example.length + 2}
        placeholder={example}
        data-testid={`whatif-${name}`}
        value={asked[name].value}
        onChange={(event) => {
          asked[name].value = event.currentTarget.value;
        }}
      />
    </label>
  );
}

/** What can be made faster, of this run. */
function Parts() {
  const run = activeRun.value?.id;
  const sections = useAnswer(run, 'sections');
  const datasets = useAnswer(run, 'datasets');
  const hosts = useAnswer(run, 'hosts');
  const named = (kind: string, { table }: { table?: Table | undefined }) =>
    table?.has('name')
      ? Array.from({ length: table.rows }, (_, row) => `${kind}:${table.text('name', row)}`)
      : [];
  return (
    <Select
      named
      label="Part"
      options={optionsOf(
        [
          'outside',
          'merging',
          'waiting',
          ...named('section', sections),
          ...named('dataset', datasets),
          ...named('throughput', hosts),
        ],
        'none',
      )}
      value={asked.part.value}
      onChange={setter(asked.part)}
      testId="asked-part"
    />
  );
}

const errorText = (error: number): string => signed(partsText([percentPart(error)]), error);

function Scenarios({ table, happened }: { table: Table<'whatif'>; happened: number }) {
  const hi =
    1.03 *
    Math.max(
      largest(table.numbers('elapsed_high')),
      largest(table.numbers('elapsed')),
      happened || 0,
    );
  return (
    <AxisRows
      rows={rowsOf(table).map((of, row) => scenarioRow(of, row, happened))}
      lo={0}
      hi={hi}
      zero={happened}
      tickText={({ label }, isLast) => (isLast ? `${label}\u2009s` : label)}
      heads={['Elapsed', 'Cores', 'Events per chunk']}
      label="Predicted elapsed time by scenario"
    />
  );
}

function scenarioRow(of: Row<'whatif'>, row: number, happened: number): AxisRow {
  const { scenario: name, note, elapsed, elapsed_low: low, elapsed_high: high, measured } = of;
  const known = Number.isFinite(elapsed) && isDecided(low, high, happened);
  const bounded = Number.isFinite(high);
  const range = durationRange(low, high);
  const said = known ? duration(elapsed) : bounded ? range : 'withheld';
  const dot = (kind: string, at: number) => (place: Place) =>
    Number.isFinite(at) ? (
      <span class={`whatif-dot ${kind}`} style={{ left: `${place(at)}%` }} />
    ) : null;
  return {
    id: name,
    name: <span title={note}>{name}</span>,
    marks: (place) => (
      <>
        {bounded ? (
          <span
            class={known ? 'whatif-range' : 'whatif-range whatif-unsure'}
            style={{ left: `${place(low)}%`, width: `${place(high) - place(low)}%` }}
          />
        ) : (
          <span class="whatif-note cut">{note}</span>
        )}
        {dot('whatif-measured', measured)(place)}
        {dot(row === 0 ? 'whatif-replay' : '', known ? elapsed : Number.NaN)(place)}
      </>
    ),
    texts: [said, count(of.cores), count(Math.round(of.chunk_events))],
    textId: `whatif-${row}`,
    tooltip: () => (
      <>
        <div>
          <b>{name}</b>
        </div>
        <div>{known && low < high ? `${said}, between ${range}` : said}</div>
        {Number.isFinite(measured) ? <div>measured: {duration(measured)}</div> : null}
        {note ? <div class="muted">{note}</div> : null}
        {of.seen ? <div class="muted">evidence: {of.seen}</div> : null}
        {of.unseen ? <div class="muted">unknown: {of.unseen}</div> : null}
      </>
    ),
  };
}
