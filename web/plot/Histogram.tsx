import { useState } from 'preact/hooks';
import { hideTooltip, showTooltip } from '../ui/tooltip';
import { clamp } from './numbers';
import { AxisTitles, PlotGrid } from './PlotGrid';
import { cssColour } from './palette';
import { axisTicks, roundedUp } from './ticks';
import { type CssPixels, useSize } from './useSize';
import { axisOf, shareOf, ticksOf, type ValueAxis } from './valueAxis';

export interface HistogramSeries {
  id: string;
  label: string;
  colour: string;
  /** one per bin */
  counts: ArrayLike<number>;
}

export interface HistogramMark {
  label: string;
  value: number;
  dash?: string;
}

export interface HistogramProps {
  /** edges of the bins, in the values' own unit */
  lo: ArrayLike<number>;
  hi: ArrayLike<number>;
  /** stacked from the first on */
  series: readonly HistogramSeries[];
  marks: readonly HistogramMark[];
  /** with the shown unit */
  xTitle: string;
  yTitle: string;
  /** from the values' unit to the shown one */
  factor: number;
  log?: boolean;
  height: CssPixels;
  /** a value in the shown unit */
  text: (value: number) => string;
  /** marked on the axis */
  hovered?: number | undefined;
  /** after a click on a bin or a drag over several */
  onRange?: ((lo: number, hi: number) => void) | undefined;
  label: string;
  testId: string;
}

const left: CssPixels = 40;
const bottom: CssPixels = 34;
const top: CssPixels = 6;

/** Counts per bin, stacked by group, with the mean and quantiles as lines. */
export function Histogram(props: HistogramProps) {
  const { lo, hi, series, marks, factor, log = false, height, text, hovered, onRange, label, testId } = props;
  const [box, fullWidth] = useSize<HTMLDivElement>();
  const width = Math.max(0, fullWidth - left - 8);
  const plotHeight = height - top - bottom;
  const bins = lo.length;
  const [cursor, setCursor] = useState(0);
  const first = lo[0] ?? 0;
  const last = hi[bins - 1] ?? 1;
  // where all values are the same, the one bin has no width of its own
  const single = !(last > first);
  const axis: ValueAxis = single ? axisOf([first], false) : { lo: first, hi: last, log };
  const totals = Array.from({ length: bins }, (_, bin) => series.reduce((sum, one) => sum + (one.counts[bin] ?? 0), 0));
  const most = roundedUp(Math.max(0, ...totals), 3);
  const x = (value: number) => shareOf(axis, value) * width;
  const [drag, setDrag] = useState<readonly [from: number, to: number] | undefined>(undefined);
  const binAt = (event: PointerEvent) => {
    const area = (event.currentTarget as Element).getBoundingClientRect();
    const place = event.clientX - area.left;
    let bin = 0;
    while (bin + 1 < bins && x(hi[bin] ?? 0) <= place) bin += 1;
    return bin;
  };
  const fact = (bin: number) => (
    <Bin lo={text(lo[bin] ?? 0)} hi={text(hi[bin] ?? 0)} total={totals[bin] ?? 0} series={series} bin={bin} />
  );
  const move = (event: PointerEvent) => {
    const bin = binAt(event);
    setDrag((old) => old && [old[0], bin]);
    setCursor(bin);
    showTooltip(event.clientX, event.clientY, fact(bin));
  };
  const choose = (a: number, b: number) => onRange?.(lo[Math.min(a, b)] ?? 0, hi[Math.max(a, b)] ?? 0);
  const up = () => {
    if (drag) choose(drag[0], drag[1]);
    setDrag(undefined);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter') choose(cursor, cursor);
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const step = (event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1);
    const bin = clamp(cursor + step, 0, bins - 1);
    setCursor(bin);
    const area = (event.currentTarget as Element).getBoundingClientRect();
    showTooltip(area.left + x(lo[bin] ?? 0), area.top + plotHeight / 2, fact(bin));
  };
  const y = (count: number) => plotHeight - (count / most) * plotHeight;
  return (
    <div ref={box} class="histogram" style={{ height: `${height}px` }}>
      {width > 0 ? (
        <svg width={fullWidth} height={height} aria-hidden="true">
          <g transform={`translate(${left} ${top})`}>
            <PlotGrid
              xTicks={ticksOf(axis, width, factor, 64)}
              yTicks={axisTicks(0, most, Math.min(3, most))}
              x={x}
              y={y}
              width={width}
              height={plotHeight}
            />
            {totals.map((total, bin) => (
              <g key={`bin-${lo[bin]}`}>{total > 0 ? stack(bin) : null}</g>
            ))}
            {marks.map((mark) =>
              mark.value >= axis.lo && mark.value <= axis.hi ? (
                <path
                  key={mark.label}
                  class="value-line"
                  stroke-dasharray={mark.dash}
                  d={`M${x(mark.value)} 0V${plotHeight}`}
                />
              ) : null,
            )}
            {hovered !== undefined && hovered >= axis.lo && hovered <= axis.hi ? (
              <path class="hover-tick" d={`M${x(hovered)} ${plotHeight}l-4 6h8Z`} />
            ) : null}
          </g>
          {drag ? (
            <rect
              class="scatter-selected"
              x={left + x(lo[Math.min(...drag)] ?? 0)}
              y={top}
              width={Math.max(1, x(hi[Math.max(...drag)] ?? 0) - x(lo[Math.min(...drag)] ?? 0))}
              height={plotHeight}
            />
          ) : null}
          <AxisTitles left={left} width={width} height={height} x={props.xTitle} y={props.yTitle} />
        </svg>
      ) : null}
      <div
        class="histogram-surface"
        style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${plotHeight}px` }}
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bins - 1)}
        aria-valuenow={cursor}
        tabIndex={0}
        data-testid={testId}
        onPointerDown={(event) => {
          if (event.button !== 0 || !onRange) return;
          (event.currentTarget as Element).setPointerCapture(event.pointerId);
          setDrag([binAt(event), binAt(event)]);
        }}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => setDrag(undefined)}
        onPointerLeave={hideTooltip}
        onKeyDown={key}
      />
    </div>
  );

  function widthOf(bin: number): CssPixels {
    return single ? width / 5 : Math.max(1, x(hi[bin] ?? 0) - x(lo[bin] ?? 0));
  }

  function leftOf(bin: number): CssPixels {
    return x(lo[bin] ?? 0) - (single ? width / 10 : 0);
  }

  function stack(bin: number) {
    let below = 0;
    return series.map((one) => {
      const count = one.counts[bin] ?? 0;
      if (!(count > 0)) return null;
      const base = y(below);
      below += count;
      const gap = widthOf(bin) > 4 ? 1 : 0;
      return (
        <rect
          key={one.id}
          x={leftOf(bin)}
          y={y(below)}
          width={widthOf(bin) - gap}
          // one value among thousands still is there
          height={Math.max(1, base - y(below))}
          style={{ fill: cssColour(one.colour) }}
        />
      );
    });
  }
}

interface BinProps {
  lo: string;
  hi: string;
  total: number;
  series: readonly HistogramSeries[];
  bin: number;
}

function Bin({ lo, hi, total, series, bin }: BinProps) {
  return (
    <>
      <div>
        <b>
          {lo} – {hi}
        </b>
        : {total}
      </div>
      {series.length > 1
        ? series
            .filter((one) => (one.counts[bin] ?? 0) > 0)
            .map((one) => (
              <div key={one.id} class="muted">
                {one.label}: {one.counts[bin]}
              </div>
            ))
        : null}
    </>
  );
}
