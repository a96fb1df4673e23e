import { signal } from '@preact/signals';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { count, duration, partsText, percentPart, signed } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { axisTicks } from '../../plot/scales';
import { type CssPixels, useSize } from '../../plot/useSize';
import { useAnswerOf } from '../../state/answers';
import { activeRun, openRuns } from '../../state/runs';
import { selection } from '../../state/selection';
import { tooltipOn } from '../../ui/tooltip';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';

/** Numbers of cores to try, as typed; '' leaves them to the core. */
const cores = signal('');

/**
 * One run replayed otherwise: what other clusters, chunks or orders would have given, and how far
 * that can be trusted.
 */
export function WhatIfPanel() {
  const run = activeRun.value;
  // The others tell how tasks slow each other down, where they are of the same work.
  const others = openRuns.value.filter(({ id }) => id !== run?.id);
  const answer = useAnswerOf(
    run ? [run.id, ...others.map(({ id }) => id)] : [],
    'whatif',
    selection.value,
    cores.value ? { cores: cores.value } : {},
  );
  const { table } = answer;
  return (
    <Panel
      title="What if"
      subtitle={[run ? `${run.title}, its chunks replayed` : '', noteText(answer, 'selection')]
        .filter(Boolean)
        .join(' · ')}
      answers={[answer]}
      twin={table}
      testId="whatif"
      actions={
        <label class="target-field">
          Cores
          <input
            type="text"
            size={10}
            placeholder="2, 8, 32"
            data-testid="whatif-cores"
            value={cores.value}
            onChange={(event) => {
              cores.value = event.currentTarget.value.replaceAll(' ', '');
            }}
          />
        </label>
      }
    >
      {table && table.rows > 0 ? (
        <Scenarios table={table} happened={run?.elapsed ?? Number.NaN} />
      ) : null}
      {table && table.rows === 0 ? (
        <Absent
          title="Nothing to replay"
          reason={noteText(answer, 'missing') || 'the run holds no chunks'}
          addable
        />
      ) : null}
    </Panel>
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
      <span class="head value">Replay error</span>
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
      {note ? <div class="muted">{note}</div> : null}
      {of.seen ? <div class="muted">seen: {of.seen}</div> : null}
      {of.unseen ? <div class="muted">cannot be seen: {of.unseen}</div> : null}
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
