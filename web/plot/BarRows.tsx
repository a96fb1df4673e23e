import type { ComponentChildren } from 'preact';
import { tooltipOn } from '../ui/tooltip';
import { cssColour } from './palette';

export interface BarRow {
  id: string;
  label: ComponentChildren;
  /** share of the longest bar; 0 or NaN has none */
  share: number;
  colour: string;
  hatched?: boolean;
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
        <Row key={row.id} row={row} columns={columns} testId={testId} />
      ))}
    </figure>
  );
}

function Row({
  row,
  columns,
  testId,
}: {
  row: BarRow;
  columns: number;
  testId: string | undefined;
}) {
  const hover = row.tooltip ? tooltipOn(row.tooltip) : {};
  return (
    <>
      <span class="name">
        {row.onClick ? (
          <button
            type="button"
            class={row.selected ? 'bar-name on' : 'bar-name'}
            onClick={row.onClick}
          >
            {row.label}
          </button>
        ) : (
          row.label
        )}
      </span>
      <span class="bar-cell" {...hover}>
        {row.share > 0 ? (
          <span
            class={row.hatched ? 'activity-bar hatched' : 'activity-bar'}
            style={{
              width: `${Math.min(1, row.share) * 100}%`,
              ...(row.hatched ? {} : { background: cssColour(row.colour) }),
            }}
          />
        ) : null}
      </span>
      {Array.from({ length: columns }, (_, column) => (
        <span
          key={column}
          class={column === 0 ? 'value' : 'value muted'}
          data-testid={testId && column === 0 ? `${testId}-${row.id}` : undefined}
        >
          {row.texts[column] ?? ''}
        </span>
      ))}
    </>
  );
}
