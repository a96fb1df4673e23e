import type { Table } from '../../engine/table';
import { coreTime, count, duration, memory } from '../../plot/format';
import { HatchDefinition } from '../../plot/HatchDefinition';
import { AxisTitles, PlotGrid } from '../../plot/PlotGrid';
import { roundedUp, type Tick } from '../../plot/ticks';
import { type CssPixels, useSize } from '../../plot/useSize';
import { shareOf, ticksOf, type ValueAxis } from '../../plot/valueAxis';
import { tooltipOn } from '../../ui/tooltip';

const height: CssPixels = 210;
const left: CssPixels = 46;
const right: CssPixels = 12;
const top: CssPixels = 18;
const bottom: CssPixels = 36;

interface Size {
  row: number;
  events: number;
  low: number;
  mid: number;
  high: number;
  limit: string;
}

const inThousands = (tick: Tick): Tick => (tick.value >= 1000 ? { ...tick, label: `${tick.value / 1000}k` } : tick);

/** Expected run time (or, without a length of the run, core-seconds) over chunk sizes: a line within its band. */
export function SizesChart({ table }: { table: Table }) {
  const [box, fullWidth] = useSize<HTMLDivElement>();
  const timed = table.numbers('elapsed').some(Number.isFinite);
  const sizes: Size[] = Array.from({ length: table.rows }, (_, row) => ({
    row,
    events: table.number('chunk_events', row),
    low: table.number(timed ? 'elapsed_low' : 'inside_seconds', row),
    mid: table.number(timed ? 'elapsed' : 'inside_seconds', row),
    high: table.number(timed ? 'elapsed_high' : 'inside_seconds', row),
    limit: table.text('limited_by', row) ?? '',
  }));
  const present = sizes.find((size) => table.number('present', size.row) === 1);
  const width = Math.max(0, fullWidth - left - right);
  const plotHeight = height - top - bottom;
  const first = sizes[0]?.events ?? 1;
  const last = sizes.at(-1)?.events ?? 10;
  const x: ValueAxis = { lo: first, hi: last > first ? last : first * 2, log: true };
  // sizes far off would press all others flat: the axis ends at four times the present
  const now = present?.mid ?? sizes[0]?.mid ?? 1;
  const y: ValueAxis = {
    lo: 0,
    hi: roundedUp(Math.min(4 * now, Math.max(...sizes.map((size) => size.high))), 3),
    log: false,
  };
  const px = (size: Size) => shareOf(x, size.events) * width;
  const py = (value: number) => plotHeight - Math.min(1.02, shareOf(y, value)) * plotHeight;
  const path = (of: (size: Size) => number, among: readonly Size[]) =>
    among.map((size, index) => `${index === 0 ? 'M' : 'L'}${px(size).toFixed(1)} ${py(of(size)).toFixed(1)}`).join('');
  const back = [...sizes].reverse();
  return (
    <div
      ref={box}
      role="img"
      aria-label={`Expected run time for chunks of ${count(first)} to ${count(last)} events; now ${duration(now)}`}
      data-testid="sizes-chart"
      style={{ height: `${height}px` }}
    >
      {width > 0 ? (
        <svg width={fullWidth} height={height} aria-hidden="true">
          <defs>
            <HatchDefinition id="sizes-limit" ground="var(--surface)" ink="var(--line-2)" />
          </defs>
          <g transform={`translate(${left} ${top})`}>
            <Limits sizes={sizes} px={px} width={width} height={plotHeight} />
            <PlotGrid
              xTicks={ticksOf(x, width, 1, 80).map(inThousands)}
              yTicks={ticksOf(y, plotHeight, 1, 50)}
              x={(value) => shareOf(x, value) * width}
              y={py}
              width={width}
              height={plotHeight}
            />
            <svg width={width} height={plotHeight} overflow="hidden" aria-hidden="true">
              <path
                class="size-band"
                d={`${path((size) => size.high, sizes)}${path((size) => size.low, back).replace('M', 'L')}Z`}
              />
              <path class="size-line" d={path((size) => size.mid, sizes)} />
            </svg>
            {present ? (
              <g>
                <path class="size-now" d={`M${px(present)} 0V${plotHeight}`} />
                <text x={px(present)} y={-5} text-anchor="middle">
                  now: {count(Math.round(present.events))}
                </text>
              </g>
            ) : null}
            {sizes.map((size) => (
              <rect
                key={size.row}
                class="hit"
                x={px(size) - width / (2 * sizes.length)}
                y={0}
                width={width / sizes.length}
                height={plotHeight}
                {...tooltipOn(() => <SizeFacts table={table} row={size.row} />)}
              />
            ))}
            {sizes.map((size) =>
              size.mid <= y.hi ? (
                <circle
                  key={size.row}
                  class={size === present ? 'size-dot size-dot-now' : 'size-dot'}
                  cx={px(size)}
                  cy={py(size.mid)}
                  r={size === present ? 4 : 2.5}
                />
              ) : null,
            )}
          </g>
          <AxisTitles
            left={left}
            width={width}
            height={height}
            x="events per chunk"
            y={timed ? 'run time (s)' : 'core-s in process()'}
          />
        </svg>
      ) : null}
    </div>
  );
}

const limitNames = { tail: 'long tail', memory: 'memory limit' };

interface LimitsProps {
  sizes: readonly Size[];
  px: (size: Size) => CssPixels;
  width: CssPixels;
  height: CssPixels;
}

/** From where on a limit bites: hatched to the right end, the hatch only once where both do. */
function Limits({ sizes, px, width, height: plotHeight }: LimitsProps) {
  const found = (['memory', 'tail'] as const).flatMap((limit) => {
    const first = sizes.find((size) => size.limit === limit);
    return first && first !== sizes[0] ? [{ limit, first }] : [];
  });
  if (found.length === 0) return null;
  const from = Math.min(...found.map(({ first }) => px(first)));
  return (
    <g>
      <rect x={from} y={0} width={Math.max(0, width - from)} height={plotHeight} fill="url(#sizes-limit)" />
      {found.map(({ limit, first }, index) => (
        <text key={limit} x={width - 4} y={12 + 14 * index} text-anchor="end" class="halo-surface">
          {limitNames[limit]} from {count(Math.round(first.events))}
        </text>
      ))}
    </g>
  );
}

function SizeFacts({ table, row }: { table: Table; row: number }) {
  const number = (name: string) => table.number(name, row);
  const known = (name: string) => Number.isFinite(number(name));
  return (
    <>
      <div>
        <b>{count(Math.round(number('chunk_events')))} events per chunk</b>
        {number('present') === 1 ? ' (as it was)' : ''} · {count(number('chunks'))} chunks
      </div>
      {known('elapsed') ? (
        <div>
          {duration(number('elapsed'))}, between {duration(number('elapsed_low'))} and{' '}
          {duration(number('elapsed_high'))}
        </div>
      ) : null}
      <div class="muted">in process() {coreTime(number('inside_seconds'))}</div>
      {known('outside_low') ? (
        <div class="muted">
          outside of it {coreTime(number('outside_low'))} to {coreTime(number('outside_high'))}: per event or per chunk,
          nobody recorded which
        </div>
      ) : null}
      <div class="muted">
        longest chunk {duration(number('longest_chunk'))}
        {known('memory') ? ` · memory ${memory(number('memory'))}` : ''}
      </div>
    </>
  );
}
