import { computed, signal } from '@preact/signals';
import { sentenceCase } from '../../domain/sentenceCase';
import type { OptionsOf } from '../../engine/questions';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { count, duration, partsText, percentPart, signed } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { axisTicks } from '../../plot/scales';
import { type CssPixels, useSize } from '../../plot/useSize';
import { useAnswer, useAnswerOf } from '../../state/answers';
import { activeRun, openRuns } from '../../state/runs';
import { selection } from '../../state/selection';
import { setter } from '../../state/setter';
import { tooltipOn } from '../../ui/tooltip';
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
  return (
    <Panel
      title="What if"
      subtitle={[
        run ? `${run.title}, simulated from its chunks` : '',
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

const errorText = (error: number): string =>
  Number.isFinite(error) ? signed(partsText([percentPart(error)]), error) : '–';

const tickRoom: CssPixels = 36;

function Scenarios({ table, happened }: { table: Table<'whatif'>; happened: number }) {
  const end =
    1.03 *
    Math.max(
      largest(table.numbers('elapsed_high')),
      largest(table.numbers('elapsed')),
      happened || 0,
    );
  const place = (seconds: number) => `${(100 * seconds) / end}%`;
  const [axis, width] = useSize<HTMLSpanElement>();
  const ticks = axisTicks(0, end, Math.min(5, Math.max(1, Math.round(width / tickRoom))));
  return (
    <div class="whatif-rows" role="img" aria-label="Predicted elapsed time by scenario">
      <span class="head">Scenario</span>
      <span class="head value">Cores</span>
      <span class="head value">Events per chunk</span>
      <span class="head value">Elapsed</span>
      <span ref={axis} class="head diverging-axis">
        {ticks.map((tick, index) => (
          <span key={tick.value} style={{ left: place(tick.value) }}>
            {index === ticks.length - 1 ? `${tick.label}\u2009s` : tick.label}
          </span>
        ))}
      </span>
      <span class="head value">Simulation error</span>
      {rowsOf(table).map((of, row) => (
        <Scenario
          key={of.scenario}
          of={of}
          row={row}
          happened={happened}
          place={place}
          ticks={ticks}
        />
      ))}
    </div>
  );
}

interface ScenarioProps {
  of: Row<'whatif'>;
  row: number;
  happened: number;
  place: (seconds: number) => string;
  ticks: readonly { value: number }[];
}

function Scenario({ of, row, happened, place, ticks }: ScenarioProps) {
  const { scenario: name, note, elapsed, elapsed_low: low, elapsed_high: high } = of;
  const known = Number.isFinite(elapsed);
  const bounded = Number.isFinite(high);
  const range = `${duration(low)} – ${duration(high)}`;
  const said = known ? duration(elapsed) : bounded ? range : 'withheld';
  const hover = tooltipOn(() => (
    <>
      <div>
        <b>{name}</b>
      </div>
      <div>{known && low < high ? `${said}, between ${range}` : said}</div>
      {Number.isFinite(of.measured) ? <div>measured: {duration(of.measured)}</div> : null}
      {note ? <div class="muted">{note}</div> : null}
      {of.seen ? <div class="muted">evidence: {of.seen}</div> : null}
      {of.unseen ? <div class="muted">unknown: {of.unseen}</div> : null}
    </>
  ));
  return (
    <>
      <span class="name" title={note}>
        {name}
      </span>
      <span class="value">{count(of.cores)}</span>
      <span class="value muted">{count(Math.round(of.chunk_events))}</span>
      <span class="value" data-testid={`whatif-${row}`}>
        {said}
      </span>
      <span class="bar-cell" {...hover}>
        {ticks.map((tick) => (
          <span key={tick.value} class="diverging-grid" style={{ left: place(tick.value) }} />
        ))}
        {Number.isFinite(happened) ? (
          <span class="diverging-zero" style={{ left: place(happened) }} />
        ) : null}
        {bounded ? (
          <span class="whatif-range" style={{ left: place(low), width: place(high - low) }} />
        ) : (
          <span class="whatif-note">{note}</span>
        )}
        {Number.isFinite(of.measured) ? (
          <span class="whatif-dot whatif-measured" style={{ left: place(of.measured) }} />
        ) : null}
        {known ? (
          <span
            class={row === 0 ? 'whatif-dot whatif-replay' : 'whatif-dot'}
            style={{ left: place(elapsed) }}
          />
        ) : null}
      </span>
      <span class="value muted">{errorText(of.calibration_error)}</span>
    </>
  );
}
