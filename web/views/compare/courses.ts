import type { NumbersOf } from '../../engine/questions';
import type { Table } from '../../engine/table';
import { largest, map } from '../../plot/numbers';
import { intervals, type Steps } from '../../plot/steps';
import type { Alignment } from '../../state/pair';

/** What can be drawn of two runs over each other, from the `throughput` question. */
export const courseQuantities = ['data', 'events', 'cores'] as const;
export type CourseQuantity = (typeof courseQuantities)[number];

export const quantityTitles: Record<
  CourseQuantity,
  { title: string; column: NumbersOf<'throughput'>; unit: string; factor: number }
> = {
  data: { title: 'Data rate', column: 'bytes_per_second', unit: 'bps', factor: 8 },
  events: { title: 'Event rate', column: 'events_per_second', unit: 'Hz', factor: 1 },
  cores: { title: 'Cores in process()', column: 'chunks_running', unit: 'cores', factor: 1 },
};

/** A run's course along the shared axis; undefined when it has none of that quantity. */
export function courseOf(
  table: Table<'throughput'> | undefined,
  quantity: CourseQuantity,
  align: Alignment,
  firstChunk: number,
): Steps | undefined {
  if (!table || table.rows === 0) return undefined;
  const { column, factor } = quantityTitles[quantity];
  const values = map(table.numbers(column), (value) => value * factor);
  if (!(largest(values) > 0)) return undefined;
  const steps = intervals(table.numbers('t0'), table.numbers('t1'), values);
  if (align === 'start') return steps;
  if (align === 'chunk') {
    if (!Number.isFinite(firstChunk)) return undefined;
    return { edges: map(steps.edges, (time) => time - firstChunk), values };
  }
  // at each edge the percentage of the run's events that are processed by then
  const done = table.numbers('events_done');
  if (!done.some(Number.isFinite)) return undefined;
  return { edges: Float64Array.of(0, ...map(done, (share) => 100 * share)), values };
}
