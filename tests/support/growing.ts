/**
 * The recording tests/data/rows as it grew: the same rows, as the parts and the index that were
 * there at some time.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pathOf } from './bundles';

type Columns = Record<string, (number | null)[]>;
interface Part {
  strings: string[];
  tasks: Columns;
}

const index = JSON.parse(readFileSync(pathOf('rows', 'tasks.json'), 'utf8'));
const whole = JSON.parse(
  gunzipSync(readFileSync(pathOf('rows', 'tasks-000008.json.gz'))).toString(),
) as Part & Record<string, unknown>;

const textOf = (column: string, row: number): string =>
  whole.strings[whole.tasks[column]?.[row] ?? -1] ?? '';

/** How many rows there are in the end. */
export const allRows = index.rows as number;

const rows = Array.from({ length: allRows }, (_, row) => row);
const items = (dataset: string): Map<string, number> =>
  new Map(
    rows
      .filter((row) => textOf('kind', row) === 'chunk' && textOf('dataset', row) === dataset)
      .map((row) => {
        const [begin = 0, end = 0] = ['entry_start', 'entry_stop'].map(
          (name) => whole.tasks[name]?.[row] ?? 0,
        );
        return [`${textOf('file', row)} ${begin}`, end - begin];
      }),
  );

const datasets = [...new Set(rows.map((row) => textOf('dataset', row)))].filter(Boolean);

/** The chunks of each dataset, and their events: what the executor was given. */
export const planned = datasets.flatMap((dataset) => {
  const chunks = items(dataset);
  const events = [...chunks.values()].reduce((sum, one) => sum + one, 0);
  return chunks.size > 0 ? [{ call: 2, kind: 'chunk', dataset, tasks: chunks.size, events }] : [];
});

/** How many of the first rows are chunks that ended well. */
export const chunksIn = (count: number): number =>
  rows.filter(
    (row) => row < count && textOf('kind', row) === 'chunk' && textOf('status', row) === 'ok',
  ).length;

/** The rows from `begin` to `end` as a part; branches, sections and samples are left out. */
function partOf(begin: number, end: number): Uint8Array {
  const tasks = Object.fromEntries(
    Object.entries(whole.tasks).map(([name, column]) => [name, column.slice(begin, end)]),
  );
  const { strings, format, epoch } = whole;
  const part = { format, epoch, rows: end - begin, strings, tasks, processes: [] };
  return gzipSync(JSON.stringify(part));
}

export interface Grown {
  /** rows of a part */
  atOnce?: number;
  state?: string;
  /** the number of the first part: those that are joined get a new one */
  firstPart?: number;
  /** [s] later than the others: of a client that begins again */
  later?: number;
}

/**
 * Its files when `count` rows had been written: `until` is the time of the index [epoch s].
 */
export function growingFiles(
  count: number,
  { atOnce = 6, state = 'running', firstPart = 0, later = 0 }: Grown = {},
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const parts = [];
  for (let begin = 0; begin < count; begin += atOnce) {
    const end = Math.min(count, begin + atOnce);
    const name = `tasks-${String(firstPart + begin / atOnce).padStart(6, '0')}.json.gz`;
    files.set(name, partOf(begin, end));
    parts.push({ name, rows: end - begin });
  }
  const ends = rows
    .slice(0, count)
    .map((row) => (whole.tasks.begin?.[row] ?? 0) + (whole.tasks.wall?.[row] ?? 0));
  const until = Math.max(index.begin, Number(whole.epoch) + Math.max(0, ...ends) / 1e6) + 0.5;
  const start = index.begin + later;
  const now = { ...index, state, begin: start, until: until + later, rows: count, planned, parts };
  files.set('tasks.json', Buffer.from(JSON.stringify(now)));
  return files;
}
