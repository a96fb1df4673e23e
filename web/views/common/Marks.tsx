import { type MarkLabel, styles } from '../../domain/bins';
import type { Quantity } from '../../domain/columns';
import type { Table } from '../../engine/table';
import { isOneValue } from '../../plot/Histogram';

export interface MarksProps {
  table: Table | undefined;
  quantity: Pick<Quantity, 'text'>;
  /** where there is no room for all */
  shown?: readonly MarkLabel[];
}

/** The marked values in figures, in the order of their lines' dashes; none of one value alone. */
export function Marks({ table, quantity, shown }: MarksProps) {
  if (
    !table ||
    table.rows === 0 ||
    isOneValue(table.numbers('lo'), table.numbers('hi'), quantity.text)
  )
    return null;
  return (
    <span class="mark-list row secondary">
      {[...styles, { label: 'max' as const, dash: undefined }]
        .filter(({ label }) => shown?.includes(label) ?? true)
        .map(({ label, dash }) => (
          <span key={label}>
            {dash === undefined ? null : (
              <svg width="18" height="8" aria-hidden="true">
                <path class="mark-rule" d="M0 4H18" stroke-dasharray={dash} />
              </svg>
            )}
            {label}{' '}
            <b data-testid={`distribution-${label}`}>
              {quantity.text(Number(table.notes[label] ?? Number.NaN))}
            </b>
          </span>
        ))}
    </span>
  );
}
