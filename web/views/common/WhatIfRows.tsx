import './WhatIfRows.css';
import { sentenceCase } from '../../domain/sentenceCase';
import type { Selection } from '../../engine/engine';
import type { OptionsOf } from '../../engine/questions';
import type { Row } from '../../engine/table';
import { type AxisRow, AxisRows, type Place } from '../../plot/AxisRows';
import { count, type duration, durationBeside, durationRange } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { activeRun, openRuns } from '../../state/runs';
import { useAnswerOf } from '../../state/useAnswer';

/**
 * The shown run with one thing changed. Others of the same work tell how tasks slow each other
 * down; digests hold no chunks that could tell it.
 */
export function useWhatIf(selection: Selection = {}, options: OptionsOf<'whatif'> = {}) {
  const run = activeRun.value;
  const others = openRuns.value.filter(({ id, digest }) => id !== run?.id && digest !== 1);
  return useAnswerOf(
    run ? [run.id, ...others.map(({ id }) => id)] : [],
    'whatif',
    selection,
    options,
  );
}

type Scenario = Row<'whatif'>;

const atMostTwice = (now: number, was: number) => now >= was / 2 && now <= 2 * was;

/** Those with half or twice its cores or events per chunk. */
export const nearby = (was: Scenario, all: readonly Scenario[]): readonly Scenario[] =>
  all.filter(
    ({ cores, chunk_events: events }) =>
      (cores !== was.cores || events !== was.chunk_events) &&
      atMostTwice(cores, was.cores) &&
      atMostTwice(events, was.chunk_events),
  );

interface WhatIfRowsProps {
  /** of `whatif`; the first is the run as it was recorded */
  rows: readonly Row<'whatif'>[];
  /** how long that took [s] */
  happened: number;
  /** without what their names say */
  brief?: boolean;
}

/** What each scenario would have taken, on one axis; hatched where the recording cannot tell. */
export function WhatIfRows({ rows, happened, brief = false }: WhatIfRowsProps) {
  const [, next, ...more] = rows;
  const isWithheld = next?.note && more.every(({ note }) => note === next.note);
  const shown = isWithheld && !Number.isFinite(next.elapsed_high) ? rows.slice(0, 1) : rows;
  const most = largest([happened, ...rows.flatMap((row) => [row.elapsed, row.elapsed_high])]);
  const say = durationBeside(happened, most);
  return (
    <>
      <AxisRows
        rows={shown.map((row, place) => scenarioRow(row, place, say))}
        lo={0}
        hi={1.03 * most}
        zero={happened}
        tickText={({ label }, isLast) => (isLast ? `${label}\u2009s` : label)}
        heads={brief ? ['Elapsed'] : ['Elapsed', 'Cores', 'Events per chunk']}
        label="Predicted elapsed time by scenario"
      />
      {shown === rows ? null : <p class="muted">{sentenceCase(next?.note ?? '')}.</p>}
    </>
  );
}

/** Whether a number may stand for it; else the recording cannot tell. */
export const isKnown = ({ elapsed, vague }: Row<'whatif'>): boolean =>
  Number.isFinite(elapsed) && vague !== 1;

function scenarioRow(of: Row<'whatif'>, row: number, say: typeof duration): AxisRow {
  const { scenario: name, note, elapsed, elapsed_low: low, elapsed_high: high, measured } = of;
  const known = isKnown(of);
  const bounded = Number.isFinite(high);
  const range = durationRange(low, high, say);
  const said = known ? say(elapsed) : bounded ? range : 'withheld';
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
        {Number.isFinite(measured) ? <div>measured: {say(measured)}</div> : null}
        {note ? <div class="muted">{note}</div> : null}
        {of.seen ? <div class="muted">evidence: {of.seen}</div> : null}
        {of.unseen ? <div class="muted">unknown: {of.unseen}</div> : null}
      </>
    ),
  };
}
