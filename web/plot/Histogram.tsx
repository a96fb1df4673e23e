import { useState } from 'preact/hooks';
import { showTooltip } from '../ui/tooltip';
import { Frame } from './Frame';
import { count as countText } from './format';
import { Bars, Rule, Selected } from './marks';
import { at, clamp, firstWhere, largest } from './numbers';
import type { Drag } from './PlotSurface';
import { usePlot, windowPlace } from './plot';
import { axisTicks, roundedUp, type ValueAxis } from './scales';
import type { CssPixels } from './useSize';

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
  /** of all values */
  count: number;
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

const margins = { left: 40, right: 8, top: 20, bottom: 34 };

/** Whether the first and the last edge of bins are the same, as they are printed. */
export const isOneValue = (
  lo: ArrayLike<number>,
  hi: ArrayLike<number>,
  text: (value: number) => string,
): boolean => text(at(lo, 0)) === text(at(hi, hi.length - 1));

/** Counts per bin, stacked by group, with the mean and quantiles as lines; a value alone in words. */
export function Histogram(props: HistogramProps) {
  const { lo, hi, height, text, yTitle, testId, count } = props;
  if (!isOneValue(lo, hi, text)) return <BinsPlot {...props} />;
  return (
    <p class="missing" style={{ height: `${height}px` }} data-testid={testId}>
      {lo.length > 0 &&
        `${text(at(lo, 0))} in ${countText(count)} ${count === 1 ? yTitle.slice(0, -1) : yTitle}`}
    </p>
  );
}

function BinsPlot(props: HistogramProps) {
  const {
    series,
    marks,
    factor,
    log = false,
    height,
    text,
    hovered,
    onRange,
    label,
    testId,
  } = props;
  const bins = props.lo.length;
  const { lo, hi } = props;
  const axis: ValueAxis = { lo: at(lo, 0), hi: at(hi, bins - 1), log };
  const { totals, below } = stacked(series, bins);
  const most = roundedUp(largest(totals), 3);
  const plot = usePlot(
    { ...axis, title: props.xTitle, factor, ticks: 64 },
    {
      lo: 0,
      hi: most,
      log: false,
      title: props.yTitle,
      ticks: axisTicks(0, most, Math.min(3, most)),
    },
    height,
    margins,
  );
  const [cursor, setCursor] = useState(0);
  const [drag, setDrag] = useState<Drag>();
  const binAt = (x: CssPixels) =>
    clamp(
      firstWhere(0, bins, (bin) => plot.x(at(hi, bin)) > x),
      0,
      bins - 1,
    );
  const show = (bin: number, x: number, y: number) => {
    setCursor(bin);
    showTooltip(x, y, <Bin {...props} bin={bin} total={totals[bin] ?? 0} />);
  };
  const choose = (a: number, b: number) =>
    onRange?.(props.lo[Math.min(a, b)] ?? 0, props.hi[Math.max(a, b)] ?? 0);
  const dragged = drag && [binAt(Math.min(drag.x0, drag.x1)), binAt(Math.max(drag.x0, drag.x1))];
  const isOn = (value: number) => value >= axis.lo && value <= axis.hi;
  return (
    <Frame
      plot={plot}
      label={label}
      testId={testId}
      surface={{
        now: cursor,
        count: bins,
        nowText: `${text(at(props.lo, cursor))} – ${text(at(props.hi, cursor))}: ${countText(totals[cursor] ?? 0)}`,
        onHover: (x, _y, clientX, clientY) => show(binAt(x), clientX, clientY),
        onDrag: setDrag,
        onSelect: onRange && (({ x0, x1 }) => choose(binAt(x0), binAt(x1))),
        onClick: onRange && ((x) => choose(binAt(x), binAt(x))),
        onStep: (by) => {
          const bin = clamp(cursor + by, 0, bins - 1);
          const place = windowPlace(plot, plot.x(at(lo, bin)), plot.height / 2);
          if (place) show(bin, ...place);
        },
        onEnter: () => choose(cursor, cursor),
      }}
    >
      {series.map((one, place) => (
        <Bars
          key={one.id}
          plot={plot}
          of={{ lo, hi, below: below[place] ?? [], amount: one.counts, colour: one.colour }}
        />
      ))}
      {marks.map((mark) =>
        isOn(mark.value) ? (
          <Rule key={mark.label} plot={plot} x={mark.value} dash={mark.dash} />
        ) : null,
      )}
      {hovered !== undefined && isOn(hovered) ? (
        <path class="hover-tick" d={`M${plot.x(hovered)} ${plot.height}l-4 6h8Z`} />
      ) : null}
      {dragged ? (
        <Selected
          x0={plot.x(at(lo, dragged[0] ?? 0))}
          y0={0}
          x1={plot.x(at(hi, dragged[1] ?? 0))}
          y1={plot.height}
        />
      ) : null}
    </Frame>
  );
}

/** The sum of each bin, and per series what lies below its part of it. */
function stacked(series: readonly HistogramSeries[], bins: number) {
  const totals = new Float64Array(bins);
  const below = series.map(({ counts }) => {
    const before = totals.slice();
    for (let bin = 0; bin < bins; bin += 1) totals[bin] = at(totals, bin) + (counts[bin] ?? 0);
    return before;
  });
  return { totals, below };
}

/** What the tooltip says of a bin. */
export function Bin({
  lo,
  hi,
  text,
  series,
  bin,
  total,
}: HistogramProps & { bin: number; total: number }) {
  return (
    <>
      <div>
        <b>
          {text(lo[bin] ?? 0)} – {text(hi[bin] ?? 0)}
        </b>
        : {countText(total)}
      </div>
      {series.length > 1
        ? series
            .filter((one) => (one.counts[bin] ?? 0) > 0)
            .map((one) => (
              <div key={one.id} class="muted">
                {one.label}: {countText(one.counts[bin] ?? 0)}
              </div>
            ))
        : null}
    </>
  );
}
