import type { Table } from './table';

/**
 * A Table as CSV, in the form of `crema ask --csv`: units in the header, numbers in full, missing
 * ones empty.
 */
export function tableCsv(table: Table): string {
  return linesOf(table)
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('');
}

/** The same with tabs between the cells, for pasting into a sheet. */
export function tableTabs(table: Table): string {
  return linesOf(table)
    .map((cells) => `${cells.map((text) => text.replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`)
    .join('');
}

function linesOf(table: Table): string[][] {
  const header = table.columns.flatMap((column) => {
    const unit = column.unit ? ` [${column.unit}]` : '';
    if (column.type === 'text' || !column.matrix || column.width === 0)
      return [inert(column.name + unit)];
    return Array.from({ length: column.width }, (_, at) => inert(`${column.name}.${at}${unit}`));
  });
  const lines = [header];
  for (let row = 0; row < table.rows; row += 1) {
    lines.push(
      table.columns.flatMap((column) => {
        if (column.type === 'text') return [inert(table.text(column.name, row) ?? '')];
        if (column.width === 0) return [''];
        const cells = column.numbers.subarray(row * column.width, (row + 1) * column.width);
        return Array.from(cells, (value) => (Number.isFinite(value) ? String(value) : ''));
      }),
    );
  }
  return lines;
}

/**
 * A spreadsheet runs a cell that begins like a formula; an apostrophe keeps it text. A number is
 * none, whatever its sign.
 */
const inert = (text: string): string =>
  /^[=+\-@\t\r\n]/.test(text) && !isSigned(text) ? `'${text}` : text;

const isSigned = (text: string): boolean =>
  /^[+-](\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
