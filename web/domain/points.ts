import { rowsOf, type Table } from '../engine/table';
import type { Points } from '../plot/drawScatter';
import { firstWhere } from '../plot/numbers';
import { fileFacts } from './columns';

/** Two columns of the chunks as points, coloured by dataset or host. */
export function pointsOf(
  table: Table,
  x: string,
  y: string,
  colourOf: (name: string) => string,
  by: 'dataset' | 'host' = 'dataset',
): Points {
  const column = table.column(by);
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
    outlier: flagsOf(table, 'outlier'),
    hollow: flagsOf(table, 'early'),
  };
}

/** None where the answer does not have that column. */
const flagsOf = (table: Table, column: string) =>
  table.has(column) ? table.numbers(column) : new Float64Array(table.rows);

/**
 * The same, side by side by dataset: x is the dataset's place among `names`, a little aside so that
 * points of like height are told apart. The same chunk always stands at the same place.
 */
export function stripsOf(
  table: Table,
  y: string,
  names: readonly string[],
  colourOf: (dataset: string) => string,
): Points {
  const places = table.strings.map((name) => names.indexOf(name));
  const datasets = table.texts('dataset');
  const x = Float64Array.from(table.numbers('chunk'), (chunk, row) => {
    const found = places[datasets[row] as number] ?? -1;
    const place = found < 0 ? Number.NaN : found;
    return place + stripWidth * (((chunk * golden) % 1) - 0.5);
  });
  return { ...pointsOf(table, y, y, colourOf), x };
}

/** The colour of points that others stand out from. */
export const ghost = '--line-2';

/** The same with those in grey that are not among the `chosen` chunks. */
export function greyBeside(points: Points, table: Table, chosen: Table): Points {
  const kept = new Set(chosen.numbers('chunk'));
  const grey = points.colours.length;
  const isKept = Array.from(table.numbers('chunk'), (chunk) => kept.has(chunk));
  return {
    ...points,
    colours: [...points.colours, ghost],
    group: points.group.map((group, row) => (isKept[row] ? group : grey)),
    outlier: points.outlier?.map((value, row) => (isKept[row] ? value : 0)),
  };
}

/** Of the room that a dataset has. */
const stripWidth = 0.7;
/** Its multiples leave no stretch of the strip empty. */
const golden = (Math.sqrt(5) - 1) / 2;

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

/** The columns of `chunk_columns` with something in them, which can be axes, in its order. */
export const axisColumns = (table: Table<'chunk_columns'> | undefined): string[] =>
  rowsOf(table)
    .filter(({ known }) => known > 0)
    .map(({ column }) => column)
    .filter((column) => !fileFacts.has(column) && !flags.has(column) && !isRaw(column));

/** Yes or no is no axis. */
const flags: ReadonlySet<string> = new Set(['outlier', 'early']);

/** What `crema.record` notes of each task, most of it under another name already: for exports. */
const isRaw = (column: string): boolean => column.startsWith('task:');

/** The option `columns` of the question `chunks`; a column may be wanted for two things. */
export const columnList = (columns: readonly string[]): string => [...new Set(columns)].join(',');
