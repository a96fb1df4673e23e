import './BarRows.css';
import type { ComponentChildren } from 'preact';
import { Button } from '../ui/Button';
import { tooltipOn } from '../ui/tooltip';
import { cssColour } from './palette';

export interface BarRow {
  id: string;
  label: ComponentChildren;
  /** how long the bar is, beside the longest of its scale; 0 or NaN has none, signs do not count */
  value: number;
  /** bars of one scale are compared; all are of one where none is told */
  scale?: string;
  colour: string;
  hatched?: boolean;
  /** narrower bars over it, from zero, too */
  within?: readonly { value: number; colour: string }[];
  /** a line across it where the bar would usually end */
  usual?: number;
  /** right of the bar, in columns */
  texts: readonly string[];
  tooltip?: (() => ComponentChildren) | undefined;
  onClick?: (() => void) | undefined;
  selected?: boolean;
}

export interface BarRowsProps {
  rows: readonly BarRow[];
  /** titles of the columns of text */
  heads?: readonly string[];
  label: string;
  testId?: string;
  maxHeight?: number;
}

/** Named bars from zero, longest first as given, with their numbers beside them. */
export function BarRows({ rows, heads = [], label, testId, maxHeight }: BarRowsProps) {
  const columns = Math.max(heads.length, ...rows.map((row) => row.texts.length));
  const longest = new Map<string, number>();
  for (const { scale = '', value, usual = 0, within = [] } of rows)
    for (const { value: length } of [{ value }, { value: usual }, ...within])
      longest.set(scale, Math.max(longest.get(scale) ?? 0, Math.abs(length) || 0));
  return (
    <figure
      class="bar-rows"
      aria-label={label}
      data-testid={testId}
      style={{
        gridTemplateColumns: `fit-content(45%) minmax(40px, 1fr) repeat(${columns}, auto)`,
        ...(maxHeight ? { maxHeight: `${maxHeight}px`, overflowY: 'auto' } : {}),
      }}
    >
      {heads.length > 0 ? (
        <>
          <span class="head" />
          <span class="head" />
          {heads.map((head) => (
            <span key={head} class="head value">
              {head}
            </span>
          ))}
        </>
      ) : null}
      {rows.map((row) => (
        <Row
          key={row.id}
          row={row}
          longest={longest.get(row.scale ?? '') ?? 0}
          columns={columns}
          testId={testId}
        />
      ))}
    </figure>
  );
}

function Row({
  row,
  longest,
  columns,
  testId,
}: {
  row: BarRow;
  longest: number;
  columns: number;
  testId: string | undefined;
}) {
  const share = Math.abs(row.value) / longest;
  const hover = row.tooltip ? tooltipOn(row.tooltip) : {};
  return (
    <>
      <span class="name cut">
        {row.onClick ? (
          <Button class={row.selected ? 'bar-name cut on' : 'bar-name cut'} onClick={row.onClick}>
            {row.label}
          </Button>
        ) : (
          row.label
        )}
      </span>
      <span
        class={row.within || row.usual !== undefined ? 'bar-cell nested' : 'bar-cell'}
        {...hover}
      >
        {share > 0 ? (
          <span
            class={row.hatched ? 'activity-bar hatched' : 'activity-bar'}
            style={{
              width: `${share * 100}%`,
              ...(row.hatched ? {} : { background: cssColour(row.colour) }),
            }}
          />
        ) : null}
        {row.within?.map(({ value, colour }) =>
          value > 0 ? (
            <span
              key={colour}
              class="activity-bar"
              style={{ width: `${(value / longest) * 100}%`, background: cssColour(colour) }}
            />
          ) : null,
        )}
        {Number.isFinite(row.usual) ? (
          <span class="bar-usual" style={{ left: `${((row.usual ?? 0) / longest) * 100}%` }} />
        ) : null}
      </span>
      <RowTexts
        texts={row.texts}
        columns={columns}
        testId={testId ? `${testId}-${row.id}` : undefined}
      />
    </>
  );
}

interface RowTextsProps {
  texts: readonly string[];
  columns: number;
  className?: string;
  /** of the first */
  testId: string | undefined;
}

/** Right of a row's marks, in columns. */
export const RowTexts = ({ texts, columns, className = '', testId }: RowTextsProps) => (
  <>
    {Array.from({ length: columns }, (_, column) => (
      <span
        key={column}
        class={`value ${column > 0 ? 'muted' : ''} ${className}`}
        data-testid={column === 0 ? testId : undefined}
      >
        {texts[column] ?? ''}
      </span>
    ))}
  </>
);
