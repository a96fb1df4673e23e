import { activityRank } from '../../domain/activities';
import { type Row, rowsOf, type Table } from '../../engine/table';

/** What the tasks of one prefix did, an activity each: stacked in one order in all rows. */
export type FunctionParts = readonly [Row<'fine_functions'>, ...Row<'fine_functions'>[]];

/** The functions of the answer, in its order, but the processor first, and idle time last. */
export function functionsOf(table: Table<'fine_functions'> | undefined): FunctionParts[] {
  const functions = new Map<string, Row<'fine_functions'>[]>();
  for (const row of rowsOf(table))
    functions.set(row.function, [...(functions.get(row.function) ?? []), row]);
  const rank = ([row]: FunctionParts) => Number(row.is_processor === 1) - Number(row.is_idle === 1);
  return [...functions.values()]
    .map(
      (parts) =>
        parts.sort(
          (a, b) => activityRank(a.activity) - activityRank(b.activity),
        ) as unknown as FunctionParts,
    )
    .sort((a, b) => rank(b) - rank(a));
}

/** The units that occur, seconds first: they are never mixed. */
export function unitsOf(table: Table<'fine'>): string[] {
  const order = ['seconds', 'bytes', 'count'];
  const rank = (unit: string) => (order.includes(unit) ? order.indexOf(unit) : order.length);
  return textsOf(table, 'unit').sort((a, b) => rank(a) - rank(b));
}

/** Contexts that have panels of their own whether or not they were recorded. */
const usualContexts = ['execute', 'get-data', 'gather-dep'];

/** Contexts beside task execution, sending and receiving, with anything in the unit. */
export const otherContexts = (table: Table<'fine_activities'> | undefined): string[] =>
  [...new Set(rowsOf(table).map((row) => row.context))]
    .filter((context) => !usualContexts.includes(context))
    .sort();

/** The distinct texts of a column, sorted; a missing one is ''. */
export const textsOf = (table: Table<'fine'>, column: 'context' | 'activity' | 'unit'): string[] =>
  [...new Set(rowsOf(table).map((row) => row[column]))].sort();

/** Task prefixes, without Dask's own "N/A". */
export const prefixesOf = (table: Table<'fine'>): string[] =>
  [
    ...new Set(
      rowsOf(table).flatMap(({ context, prefix }) =>
        context === 'execute' && prefix && prefix !== 'N/A' ? prefix : [],
      ),
    ),
  ].sort();
