import { activityRank, isIdleActivity } from '../../domain/activities';
import type { Table } from '../../engine/table';

export interface ActivityValue {
  activity: string;
  value: number;
}

/** One task prefix and what its tasks did. */
export interface FunctionRow {
  prefix: string;
  isProcessor: boolean;
  isIdle: boolean;
  /** several small functions together */
  isRest?: boolean;
  /** stacked in one order in all rows */
  parts: ActivityValue[];
  total: number;
}

/** The units that occur, seconds first: they are never mixed. */
export function unitsOf(table: Table): string[] {
  const units = new Set<string>();
  for (let row = 0; row < table.rows; row += 1) units.add(table.text('unit', row) ?? '');
  const order = ['seconds', 'bytes', 'count'];
  const rank = (unit: string) => (order.includes(unit) ? order.indexOf(unit) : order.length);
  return [...units].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

interface Cell extends ActivityValue {
  context: string;
  prefix: string;
  isProcessor: boolean;
}

/** Activities that are left out. */
export type Hidden = ReadonlySet<string>;
const nothing: Hidden = new Set();

function cellsOf(table: Table, unit: string, hidden: Hidden = nothing): Cell[] {
  const cells: Cell[] = [];
  for (let row = 0; row < table.rows; row += 1) {
    if ((table.text('unit', row) ?? '') !== unit || hidden.has(table.text('activity', row) ?? ''))
      continue;
    cells.push({
      context: table.text('context', row) ?? '',
      prefix: table.text('prefix', row) ?? '',
      activity: table.text('activity', row) ?? '',
      value: table.number('value', row),
      isProcessor: table.number('is_processor', row) === 1,
    });
  }
  return cells;
}

/** What a panel about one context sums: its part of the answer. */
export const contextTable = (
  table: Table,
  unit: string,
  context: string,
  hidden: Hidden = nothing,
): Table =>
  table.where(
    (row) =>
      (table.text('unit', row) ?? '') === unit &&
      (table.text('context', row) ?? '') === context &&
      !hidden.has(table.text('activity', row) ?? ''),
  );

const shownAtMost = 20;

/** Task execution by function, most first; beyond twenty the smallest become one row. */
export function functionRows(table: Table, unit: string, hidden: Hidden = nothing): FunctionRow[] {
  const rows = new Map<string, FunctionRow>();
  for (const cell of cellsOf(table, unit, hidden)) {
    if (cell.context !== 'execute') continue;
    const isIdle = isIdleActivity(cell.activity);
    const prefix = isIdle ? cell.activity : cell.prefix;
    const row = rows.get(prefix) ?? {
      prefix,
      isProcessor: cell.isProcessor,
      isIdle,
      parts: [],
      total: 0,
    };
    row.parts.push({ activity: cell.activity, value: cell.value });
    row.total += cell.value;
    rows.set(prefix, row);
  }
  const sorted = [...rows.values()].sort(
    (a, b) => b.total - a.total || (a.prefix < b.prefix ? -1 : 1),
  );
  const shown =
    sorted.length > shownAtMost
      ? [...sorted.slice(0, shownAtMost - 1), restOf(sorted.slice(shownAtMost - 1))]
      : sorted;
  for (const row of shown)
    row.parts = merged(row.parts).sort(
      (a, b) => activityRank(a.activity) - activityRank(b.activity),
    );
  return shown;
}

function restOf(rows: readonly FunctionRow[]): FunctionRow {
  return {
    prefix: `${rows.length} others`,
    isRest: true,
    isProcessor: false,
    isIdle: false,
    parts: rows.flatMap((row) => row.parts),
    total: rows.reduce((sum, row) => sum + row.total, 0),
  };
}

function merged(parts: readonly ActivityValue[]): ActivityValue[] {
  const sums = new Map<string, number>();
  for (const part of parts) sums.set(part.activity, (sums.get(part.activity) ?? 0) + part.value);
  return Array.from(sums, ([activity, value]) => ({ activity, value }));
}

/**
 * How many tasks each prefix had, of the answer `task_prefixes`; empty when nothing counted them.
 */
export function tasksByPrefix(counts: Table | undefined): ReadonlyMap<string, number> {
  return new Map(
    Array.from({ length: counts?.rows ?? 0 }, (_, row) => [
      counts?.text('prefix', row) ?? '',
      counts?.number('tasks', row) ?? Number.NaN,
    ]),
  );
}

/** Sums per activity within one context, largest first. */
export function activityRows(
  table: Table,
  unit: string,
  context: string,
  hidden: Hidden = nothing,
): ActivityValue[] {
  return merged(cellsOf(table, unit, hidden).filter((cell) => cell.context === context)).sort(
    (a, b) => b.value - a.value || (a.activity < b.activity ? -1 : 1),
  );
}

/** Contexts that have panels of their own whether or not they were recorded. */
const usualContexts = ['execute', 'get-data', 'gather-dep'];

/** Contexts beside task execution, sending and receiving, with anything in this unit. */
export function otherContexts(table: Table, unit: string): string[] {
  const found = new Set(cellsOf(table, unit).map((cell) => cell.context));
  return [...found].filter((context) => !usualContexts.includes(context)).sort();
}

/** The distinct texts of a column, sorted; a missing one is ''. */
export function namesOf(table: Table, column: 'context' | 'prefix' | 'activity'): string[] {
  const names = new Set<string>();
  for (let row = 0; row < table.rows; row += 1) names.add(table.text(column, row) ?? '');
  return [...names].sort();
}

/** Task prefixes, without Dask's own "N/A". */
export function prefixesOf(table: Table): string[] {
  const names = new Set<string>();
  for (let row = 0; row < table.rows; row += 1) {
    const prefix = table.text('prefix', row);
    if (table.text('context', row) === 'execute' && prefix && prefix !== 'N/A') names.add(prefix);
  }
  return [...names].sort();
}
