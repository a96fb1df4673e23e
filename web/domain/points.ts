import type { Table } from '../engine/table';
import type { Points } from '../plot/drawScatter';
import { firstWhere } from '../plot/numbers';
import { fileFacts } from './columns';

/** Two columns of the chunks as points, coloured by dataset. */
export function pointsOf(
  table: Table,
  x: string,
  y: string,
  colourOf: (dataset: string) => string,
): Points {
  const column = table.column('dataset');
  const ids = column.type === 'text' ? column.texts : new Uint32Array(table.rows);
  const colours: string[] = [];
  // by text id: a hundred thousand chunks have a handful of datasets
  const groups = new Map<number, number>();
  const group = new Uint8Array(table.rows);
  for (let row = 0; row < table.rows; row += 1) {
    const id = ids[row] as number;
    let index = groups.get(id);
    if (index === undefined) {
      const token = colourOf(table.strings[id] ?? '');
      index = colours.indexOf(token);
      if (index < 0) index = colours.push(token) - 1;
      groups.set(id, index);
    }
    group[row] = index;
  }
  return {
    x: table.numbers(x),
    y: table.numbers(y),
    group,
    colours,
    outlier: table.numbers('outlier'),
    hollow: table.numbers('early'),
  };
}

/**
 * The row of a chunk's number; undefined when the answer does not have it. Rows stand in the order
 * of their numbers.
 */
export function rowOfChunk(table: Table, chunk: number | undefined): number | undefined {
  if (chunk === undefined) return undefined;
  const numbers = table.numbers('chunk');
  const row = firstWhere(0, numbers.length, (at) => (numbers[at] as number) >= chunk);
  return numbers[row] === chunk ? row : undefined;
}

/**
 * Numbers of the chunks that can be an axis: `chunk_columns` with something in them, in the
 * answer's order.
 */
export function axisColumns(table: Table): string[] {
  return Array.from({ length: table.rows }, (_, row) => row)
    .filter((row) => table.number('known', row) > 0)
    .map((row) => table.text('column', row) ?? '')
    .filter((column) => !fileFacts.has(column) && !flags.has(column));
}

/** Yes or no is no axis. */
const flags: ReadonlySet<string> = new Set(['outlier', 'early']);

/** The option `columns` of the question `chunks`; a column may be wanted for two things. */
export const columnList = (columns: readonly string[]): string => [...new Set(columns)].join(',');
