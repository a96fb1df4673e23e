import type { Table } from '../../engine/table';
import { at, largest, map } from '../../plot/numbers';
import { intervals, type Steps } from '../../plot/steps';
import type { Alignment } from '../../state/parameters';

/** What can be drawn of two runs over each other, from the `throughput` question. */
export const courseQuantities = ['data', 'events', 'cores'] as const;
export type CourseQuantity = (typeof courseQuantities)[number];

export const quantityTitles: Record<
  CourseQuantity,
  { title: string; column: string; unit: string; factor: number }
> = {
  data: { title: 'Data rate', column: 'bytes_per_second', unit: 'bps', factor: 8 },
  events: { title: 'Event rate', column: 'events_per_second', unit: 'Hz', factor: 1 },
  cores: { title: 'Cores in process()', column: 'chunks_running', unit: 'cores', factor: 1 },
};

/** A run's course along the shared axis; undefined when it has none of that quantity. */
export function courseOf(
  table: Table | undefined,
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
  const edges = progressOf(steps.edges, table.numbers('events_per_second'));
  return edges && { edges, values };
}

/**
 * At each edge the percentage of the run's events that are processed by then; undefined without
 * events.
 */
function progressOf(edges: Float64Array, rates: ArrayLike<number>): Float64Array | undefined {
  const done = new Float64Array(edges.length);
  for (let i = 0; i + 1 < edges.length; i += 1) {
    const events = at(rates, i) * (at(edges, i + 1) - at(edges, i));
    done[i + 1] = at(done, i) + (events > 0 ? events : 0);
  }
  const all = at(done, done.length - 1);
  return all > 0 ? map(done, (value) => (100 * value) / all) : undefined;
}
