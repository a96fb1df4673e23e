import { quantityOf, quantityTitle } from '../../domain/columns';

export interface QuantitySelectProps {
  label: string;
  columns: readonly string[];
  value: string;
  onChange: (column: string) => void;
  testId: string;
}

/** Which quantity of the chunks. */
export function QuantitySelect({ label, columns, value, onChange, testId }: QuantitySelectProps) {
  return (
    <select
      class="select"
      aria-label={label}
      data-testid={testId}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {columns.map((column) => (
        <option key={column} value={column}>
          {quantityTitle(quantityOf(column))}
        </option>
      ))}
    </select>
  );
}
