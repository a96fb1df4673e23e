import type { Points } from '../../charts/drawScatter';
import type { Table } from '../../engine/table';

/** Two columns of the chunks as points, coloured by dataset. */
export function pointsOf(table: Table, x: string, y: string, colourOf: (dataset: string) => string): Points {
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
  return { x: table.numbers(x), y: table.numbers(y), group, colours, outlier: table.numbers('outlier') };
}

/** The row of a chunk's number; undefined when the answer does not have it. Rows stand in the order of their numbers. */
export function rowOfChunk(table: Table, chunk: number | undefined): number | undefined {
  if (chunk === undefined) return undefined;
  const numbers = table.numbers('chunk');
  let lo = 0;
  let hi = numbers.length;
  while (lo < hi) {
    const middle = (lo + hi) >>> 1;
    if ((numbers[middle] as number) < chunk) lo = middle + 1;
    else hi = middle;
  }
  return numbers[lo] === chunk ? lo : undefined;
}

/** Columns of the chunks that can be an axis: numbers with something in them, in the answer's order. */
export function axisColumns(table: Table, fileFacts: ReadonlySet<string>): string[] {
  return table.columns
    .filter((column) => column.type === 'number' && column.width === 1 && !fileFacts.has(column.name))
    .filter((column) => column.type !== 'text' && column.numbers.some(Number.isFinite))
    .map((column) => column.name);
}
