import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import { cssColour } from './palette';
import { axisTicks } from './scales';

export interface DivergingRow {
  id: string;
  label: ComponentChildren;
  /** to the left of zero when negative */
  value: number;
  colour: string;
  /** right of the bar, in columns */
  texts: readonly string[];
  /** what it says is not much: printed in grey */
  faint?: boolean;
  tooltip?: () => ComponentChildren;
}

export interface DivergingBarsProps {
  rows: readonly DivergingRow[];
  /** what the rows sum to, below a line */
  sum?: { label: string; texts: readonly string[] } | undefined;
  /** titles of the columns of text */
  heads: readonly string[];
  label: string;
  testId: string;
  maxHeight?: number | undefined;
}

/** Named bars to both sides of one zero, with their numbers beside them. */
export function DivergingBars({ rows, sum, heads, label, testId, maxHeight }: DivergingBarsProps) {
  const values = rows.map((row) => row.value).filter(Number.isFinite);
  const ends = [Math.min(0, ...values), Math.max(0, ...values)] as const;
  // a bar that fills its side would touch what stands beside it
  const margin = 0.03 * (ends[1] - ends[0] || 1);
  const lo = ends[0] < 0 ? ends[0] - margin : 0;
  const hi = ends[1] > 0 || ends[0] === 0 ? (ends[1] || 1) + margin : 0;
  const place = (value: number) => (100 * (value - lo)) / (hi - lo);
  const ticks = axisTicks(lo, hi, 4);
  return (
    <div
      class="diverging-rows"
      role="img"
      aria-label={label}
      data-testid={testId}
      style={{
        gridTemplateColumns: `fit-content(42%) minmax(60px, 1fr) repeat(${heads.length}, auto)`,
        ...(maxHeight ? { maxHeight: `${maxHeight}px` } : {}),
      }}
    >
      <span class="head" />
      <span class="head diverging-axis">
        {ticks.map((tick) => (
          <span key={tick.value} style={{ left: `${place(tick.value)}%` }}>
            {tick.value > 0 ? `+${tick.label}` : tick.label}
          </span>
        ))}
      </span>
      {heads.map((head) => (
        <span key={head} class="head value">
          {head}
        </span>
      ))}
      {rows.map((row) => (
        <Row
          key={row.id}
          row={row}
          columns={heads.length}
          place={place}
          ticks={ticks}
          testId={testId}
        />
      ))}
      {sum ? (
        <>
          <span class="sum">{sum.label}</span>
          <span class="sum" />
          {heads.map((head, column) => (
            <span
              key={head}
              class="sum value"
              data-testid={column === 0 ? `${testId}-sum` : undefined}
            >
              {sum.texts[column] ?? ''}
            </span>
          ))}
        </>
      ) : null}
    </div>
  );
}

interface RowProps {
  row: DivergingRow;
  columns: number;
  place: (value: number) => number;
  ticks: readonly { value: number }[];
  testId: string;
}

function Row({ row, columns, place, ticks, testId }: RowProps) {
  const hover = row.tooltip ? tooltipOn(row.tooltip) : {};
  const from = place(Math.min(0, row.value));
  const width = place(Math.max(0, row.value)) - from;
  return (
    <>
      <span class={row.faint ? 'name faint' : 'name'} data-testid={`${testId}-name`}>
        {row.label}
      </span>
      <span class="bar-cell" {...hover}>
        {ticks.map((tick) => (
          <span
            key={tick.value}
            class={tick.value === 0 ? 'diverging-zero' : 'diverging-grid'}
            style={{ left: `${place(tick.value)}%` }}
          />
        ))}
        {Number.isFinite(width) ? (
          <span
            class="diverging-bar"
            style={{
              left: `${from}%`,
              width: `max(1px, ${width}%)`,
              background: cssColour(row.colour),
            }}
          />
        ) : null}
      </span>
      {Array.from({ length: columns }, (_, column) => (
        <span
          key={column}
          class={`value ${column > 0 ? 'muted' : ''} ${row.faint ? 'faint' : ''}`}
          data-testid={column === 0 ? `${testId}-${row.id}` : undefined}
        >
          {row.texts[column] ?? ''}
        </span>
      ))}
    </>
  );
}
