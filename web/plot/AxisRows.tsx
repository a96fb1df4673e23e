import './AxisRows.css';
import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import { RowTexts } from './BarRows';
import { clamp } from './numbers';
import { cssColour } from './palette';
import { axisTicks } from './scales';
import { type CssPixels, useSize } from './useSize';

/** Where a value stands along the axis [%]. */
export type Place = (value: number) => number;

export interface AxisRow {
  id: string;
  name: ComponentChildren;
  nameId?: string | undefined;
  /** what is drawn over the axis */
  marks: (place: Place) => ComponentChildren;
  /** right of the axis, in columns */
  texts: readonly string[];
  /** the test id of the first */
  textId?: string | undefined;
  /** what it says is not much: printed in grey */
  faint?: boolean | undefined;
  className?: string;
  tooltip?: (() => ComponentChildren) | undefined;
}

interface AxisRowsProps {
  rows: readonly AxisRow[];
  lo: number;
  hi: number;
  /** where the strong line stands */
  zero?: number;
  tickText?: (tick: { value: number; label: string }, isLast: boolean) => string;
  /** titles of the columns of text */
  heads: readonly string[];
  /** what the rows sum to, below a line */
  sum?: { label: string; texts: readonly string[] } | undefined;
  label: string;
  testId?: string;
  maxHeight?: number | undefined;
}

const tickRoom: CssPixels = 48;
/** Where less is wide, as on a phone, the first column of text is all there is room for. */
const roomForTexts: CssPixels = 480;

/** Named marks over one axis, with their numbers beside them. */
export function AxisRows(props: AxisRowsProps) {
  const { rows, lo, hi, zero = 0, sum, label, testId, maxHeight } = props;
  const { tickText = (tick) => tick.label } = props;
  const [box, all] = useSize<HTMLDivElement>();
  const heads = all > 0 && all < roomForTexts ? props.heads.slice(0, 1) : props.heads;
  const [axis, width] = useSize<HTMLSpanElement>();
  const place: Place = (value) => (100 * (value - lo)) / (hi - lo);
  const ticks = axisTicks(lo, hi, clamp(Math.round(width / tickRoom), 1, 4));
  return (
    <div
      ref={box}
      class="axis-rows small"
      role="img"
      aria-label={label}
      data-testid={testId}
      style={{
        gridTemplateColumns: `fit-content(42%) minmax(60px, 1fr) repeat(${heads.length}, auto)`,
        ...(maxHeight ? { maxHeight: `${maxHeight}px` } : {}),
      }}
    >
      <span class="head" />
      <span ref={axis} class="head axis-ticks">
        {ticks.map((tick, index) => (
          <span key={tick.value} style={{ left: `${place(tick.value)}%` }}>
            {tickText(tick, index === ticks.length - 1)}
          </span>
        ))}
      </span>
      {heads.map((head) => (
        <span key={head} class="head value">
          {head}
        </span>
      ))}
      {rows.map((row) => (
        <Row key={row.id} row={row} columns={heads.length} place={place}>
          {ticks.map(({ value }) => (
            <span key={value} class="axis-grid" style={{ left: `${place(value)}%` }} />
          ))}
          {Number.isFinite(zero) ? (
            <span class="axis-grid axis-zero" style={{ left: `${place(zero)}%` }} />
          ) : null}
        </Row>
      ))}
      {sum ? (
        <>
          <span class="sum">{sum.label}</span>
          <span class="sum" />
          {heads.map((head, column) => (
            <span
              key={head}
              class="sum value"
              data-testid={testId && column === 0 ? `${testId}-sum` : undefined}
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
  row: AxisRow;
  columns: number;
  place: Place;
  /** what stands beneath its marks */
  children: ComponentChildren;
}

function Row({ row, columns, place, children }: RowProps) {
  const hover = row.tooltip ? tooltipOn(row.tooltip) : {};
  return (
    <>
      <span class={row.faint ? 'name cut faint' : 'name cut'} data-testid={row.nameId}>
        {row.name}
      </span>
      <span class={`bar-cell ${row.className ?? ''}`} {...hover}>
        {children}
        {row.marks(place)}
      </span>
      <RowTexts
        texts={row.texts}
        columns={columns}
        className={row.faint ? 'faint' : ''}
        testId={row.textId}
      />
    </>
  );
}

interface AxisBarProps {
  from: number;
  to: number;
  /** '' = hatched */
  colour: string;
  place: Place;
}

/** From one value to another; what is small is still there. */
export function AxisBar({ from, to, colour, place }: AxisBarProps) {
  const left = place(Math.min(from, to));
  const width = place(Math.max(from, to)) - left;
  return Number.isFinite(width) ? (
    <span
      class={colour ? 'axis-bar' : 'axis-bar hatched'}
      style={{
        left: `${left}%`,
        width: `max(1px, ${width}%)`,
        ...(colour ? { background: cssColour(colour) } : {}),
      }}
    />
  ) : null;
}

/** The ends of an axis that holds all values and 0. */
export function endsWithZero(values: readonly number[]): [number, number] {
  const known = values.filter(Number.isFinite);
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known);
  // a bar that fills its side would touch what stands beside it
  const margin = 0.03 * (high - low || 1);
  return [low < 0 ? low - margin : 0, high > 0 || low === 0 ? (high || 1) + margin : 0];
}
