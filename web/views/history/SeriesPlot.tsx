import { bisectCenter, extent } from 'd3-array';
import { useMemo, useState } from 'preact/hooks';
import {
  type HistoryEvent,
  hasChanged,
  type Level,
  outlierText,
  type RunHistory,
  type Series,
  seriesText,
} from '../../domain/runHistory';
import { Frame } from '../../plot/Frame';
import { listed, percent, signed } from '../../plot/format';
import { clamp } from '../../plot/numbers';
import { cssColour } from '../../plot/palette';
import { usePlot, windowPlace } from '../../plot/plot';
import { axisTicks, type Tick } from '../../plot/scales';
import { showTooltip } from '../../ui/tooltip';
import { openHistoryRun } from './HistoryRuns';
import { runText } from './recorded';

const height = 96;
const axisHeight = 34;
/** How wide the column of an outlier is. */
const tint = 26;
const margins = { left: 74, right: 80, top: 14, bottom: 6 };

interface SeriesPlotProps {
  runHistory: RunHistory;
  series: Series;
  levels: readonly Level[];
  events: readonly HistoryEvent[];
  /** of the last one: days below */
  withAxis: boolean;
}

/** A number over the runs: dots, levels, and the runs between which it changed. */
export function SeriesPlot(props: SeriesPlotProps) {
  const { runHistory, series, levels, events, withAxis } = props;
  const { runs } = runHistory;
  const [least = 0, most = 1] = extent(series.values);
  const room = 0.08 * (most - least || Math.abs(most) || 1);
  const text = (value: number) => seriesText(series, value);
  const plot = usePlot(
    {
      lo: 0,
      hi: Math.max(1, runs.length - 1),
      log: false,
      title: withAxis ? 'run, in order of time' : '',
      ticks: withAxis ? runTicks(runHistory) : [],
    },
    {
      lo: least - room,
      hi: most + room,
      log: false,
      title: '',
      ticks: axisTicks(least - room, most + room, 3),
      tickText: text,
    },
    height + (withAxis ? axisHeight : 0),
    { ...margins, bottom: margins.bottom + (withAxis ? axisHeight : 0) },
  );
  const x = (row: number) => plot.x(clamp(row, 0, runs.length - 1));
  const between = (row: number) => (x(row - 1) + x(row)) / 2;
  const last = levels.at(-1);
  // levels come and go with the slider, and dots may be a thousand
  const dots = useMemo(() => {
    const rows = [...series.values.keys()].filter((row) => Number.isFinite(series.values[row]));
    const lineOf = (row: number) => `M${x(row)} ${plot.y(series.values[row] ?? 0)}h0`;
    const isOut = (row: number) => runHistory.outliers.has(row);
    return {
      rows,
      along: rows.map(x),
      paths: (
        <>
          <path
            class="history-dot"
            d={rows
              .filter((row) => !isOut(row))
              .map(lineOf)
              .join('')}
          />
          {rows.filter(isOut).map((row) => (
            <OutlierMark
              key={row}
              series={series}
              row={row}
              x={x(row)}
              y={plot.y(series.values[row] ?? 0)}
            />
          ))}
        </>
      ),
    };
  }, [series, plot, runHistory]);
  const [at, setAt] = useState<number | undefined>(undefined);
  const row = at === undefined ? undefined : dots.rows[at];
  const saidOf = (of: number) =>
    `${runText(runs, of)}: ${text(series.values[of] ?? Number.NaN)}${series.outliers.has(of) ? `, an outlier: ${outlierText(series, of)} against its level` : ''}`;
  const show = (next: number, clientX: number, clientY: number) => {
    const of = dots.rows[next];
    if (of === undefined) return;
    setAt(next);
    showTooltip(clientX, clientY, saidOf(of));
  };
  const open = () => {
    const run = row === undefined ? undefined : runs[row];
    if (run) openHistoryRun(run);
  };
  return (
    <div class="history-series" data-testid={`history-${series.id}`}>
      <h3>
        {series.label}
        <span class="muted">
          {' '}
          {listed([series.better && `${series.better} is better`, series.basis], '; ')}
        </span>
      </h3>
      <Frame
        plot={plot}
        label={`${series.label} over ${runs.length} runs`}
        testId={`history-plot-${series.id}`}
        under={[
          ...[...runHistory.outliers].map((row) => (
            <rect
              key={`outlier ${row}`}
              class="history-tint"
              x={x(row) - tint / 2}
              y={-margins.top}
              width={tint}
              height={plot.height + margins.top}
            />
          )),
          ...events.map(({ number, first, last: until, at }) => (
            <rect
              key={number}
              class="history-event"
              x={x(Math.max(0, Math.min(first, at) - 1))}
              y={-margins.top}
              width={Math.max(2, x(Math.max(until, at)) - x(Math.max(0, Math.min(first, at) - 1)))}
              height={plot.height + margins.top}
            />
          )),
        ]}
        surface={{
          now: at,
          count: dots.rows.length,
          nowText: row === undefined ? undefined : saidOf(row),
          onHover: (place, _, ...client) => show(bisectCenter(dots.along, place), ...client),
          onLeave: () => setAt(undefined),
          onClick: open,
          onEnter: open,
          onStep: (by) => {
            const next = clamp((at ?? -1) + by, 0, dots.rows.length - 1);
            const client = windowPlace(plot, dots.along[next] ?? 0, plot.height / 2);
            if (client) show(next, ...client);
          },
        }}
      >
        {runs.map(({ run, split }, row) =>
          split ? (
            <g key={run} class="history-split">
              <path d={`M${between(row)} ${-margins.top}V${plot.height}`} />
              <text x={between(row) + 4} y={-4}>
                {split}
              </text>
            </g>
          ) : null,
        )}
        {levels.map((level) => (
          <LevelMark key={level.begin} level={level} x={x} y={plot.y} />
        ))}
        {dots.paths}
        {row === undefined ? null : (
          <circle class="history-here" cx={x(row)} cy={plot.y(series.values[row] ?? 0)} r={4.5} />
        )}
        {levels.filter(hasChanged).map((level) => (
          <g
            key={level.begin}
            style={{ color: cssColour(level.is_worse === 1 ? '--bad' : '--good') }}
          >
            <circle
              class="history-first"
              cx={x(level.begin)}
              cy={plot.y(series.values[level.begin] ?? level.level)}
              r={4.5}
            />
            <text
              class="history-change"
              x={x(level.begin) + 7}
              y={plot.y(level.level) + (level.change > 0 ? -7 : 15)}
              data-testid="history-change"
            >
              {signed(percent(level.change), level.change)}
            </text>
          </g>
        ))}
        {last ? (
          <text class="history-now" x={plot.width + 8} y={plot.y(last.level) + 4}>
            {text(last.level)}
          </text>
        ) : null}
      </Frame>
    </div>
  );
}

/** More are not labelled. */
const mostLabels = 5;

interface OutlierMarkProps {
  series: Series;
  row: number;
  x: number;
  y: number;
}

/**
 * A run that is an outlier: with its value; filled where this number is what makes it one, and
 * coloured where that is worse. None is praised: what is off its level once may be a share that rose because
 * the rest fell.
 */
function OutlierMark({ series, row, x, y }: OutlierMarkProps) {
  const change = series.outliers.get(row);
  const isWorse = change !== undefined && series.better === (change > 0 ? 'lower' : 'higher');
  return (
    <g
      class={change === undefined ? 'history-outlier' : 'history-outlier history-sure'}
      style={{ color: cssColour(isWorse ? '--bad' : '--text-2') }}
      data-testid={change === undefined ? undefined : 'history-outlier'}
    >
      <path d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`} />
      {series.outliers.size > mostLabels ? null : (
        <text class="history-change" x={x + 9} y={y + 4}>
          {seriesText(series, series.values[row] ?? 0)}
        </text>
      )}
    </g>
  );
}

interface LevelMarkProps {
  level: Level;
  x: (row: number) => number;
  y: (value: number) => number;
}

function LevelMark({ level, x, y }: LevelMarkProps) {
  const left = x(level.begin);
  const right = x(level.end - 1);
  const rise = Number.isFinite(level.slope) ? (level.slope * (level.end - 1 - level.begin)) / 2 : 0;
  return (
    <>
      <path
        class="history-band"
        d={`M${left} ${y(level.low - rise)}L${right} ${y(level.low + rise)}V${y(level.high + rise)}L${left} ${y(level.high - rise)}Z`}
      />
      <path
        class="history-level"
        d={`M${left} ${y(level.level - rise)}L${right} ${y(level.level + rise)}`}
      />
    </>
  );
}

/** Numbers of runs, as in the table below. */
function runTicks({ runs }: RunHistory): Tick[] {
  const step = Math.max(1, Math.ceil(runs.length / 12));
  return runs.flatMap((_, row) =>
    row % step === 0 ? [{ value: row, label: String(row + 1) }] : [],
  );
}
