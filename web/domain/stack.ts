import type { Table } from '../engine/table';
import type { Layer } from '../plot/drawTrack';
import type { LegendEntry } from '../plot/Legend';
import { largest } from '../plot/numbers';

/** Groups of chunks over time, one upon the other. */
export interface Stack {
  layers: Layer[];
  legend: LegendEntry[];
  /** of all together, in the shown unit */
  peak: number;
}

export type StackBy = 'dataset' | 'host' | 'file' | 'compression';

/**
 * A course of the answer of `concurrency`, which was asked with this `by`; `factor` is from its
 * unit to the shown one.
 */
export function stackOf(
  table: Table<'concurrency'>,
  course: 'chunks_running' | 'bytes_per_second',
  by: StackBy,
  colourOf: (name: string, row: number) => string,
  factor = 1,
): Stack {
  const { width } = table.column(course);
  const own = table.numbers(course);
  const begin = Number(table.notes.t0);
  const end = Number(table.notes.t1);
  const edges = Float64Array.from(
    { length: width + 1 },
    (_, bin) => begin + (bin * (end - begin)) / width,
  );
  const stack: Stack = { layers: [], legend: [], peak: 0 };
  let values = new Float64Array(width);
  for (let row = 0; row < table.rows; row += 1) {
    values = values.map((value, bin) => value + factor * (own[row * width + bin] ?? 0));
    const name = table.text(by, row) ?? '';
    const colour = colourOf(name, row);
    // back to front: what is above is partly covered by what is below
    stack.layers.unshift({ kind: 'area', steps: { edges, values }, colour });
    stack.legend.push({ id: `${row}`, label: name || 'not recorded', colour });
  }
  stack.peak = largest(values);
  return stack;
}

const groups = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'];
const rest = '--c-rest';
const hosts = ['--host-1', '--host-2', '--host-3', '--host-4', '--host-5'];

/** The colour of a row that is no dataset: hosts are steps of slate, what has none left is grey. */
export const rowColour = (by: StackBy, row: number): string =>
  (by === 'host' ? hosts : groups)[row] ?? rest;

/** What the colours of hosts mean: those that have none left are one. */
export function hostLegend(names: readonly string[]): LegendEntry[] {
  const most = names.length > hosts.length + 1 ? hosts.length : names.length;
  const own = names.slice(0, most).map((name, row) => ({
    id: name,
    label: name || 'not recorded',
    colour: rowColour('host', row),
  }));
  return most < names.length ? [...own, { id: 'others', label: 'others', colour: rest }] : own;
}
