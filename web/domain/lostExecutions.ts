import type { Table } from '../engine/table';

/** From when to when a worker was in tasks of one kind [s]. */
export interface Stretch {
  from: number;
  to: number;
  kind: 'rest' | 'again' | 'lost';
}

export interface WorkerExecutions {
  worker: string;
  lost: number;
  again: number;
  stretches: Stretch[];
}

/**
 * Of `tasks`, workers that ran what was lost or ran it again, in order of their first task. Those
 * of one kind that are less than `gap` apart are one stretch.
 */
export function lostExecutions(table: Table<'tasks'>, gap: number): WorkerExecutions[] {
  const [key, worker, action] = (['key', 'worker', 'action'] as const).map((name) =>
    table.texts(name),
  ) as [Uint32Array, Uint32Array, Uint32Array];
  const [t0, t1, lost] = (['t0', 't1', 'lost'] as const).map((name) => table.numbers(name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const at = (values: ArrayLike<number>, row: number) => values[row] as number;
  const compute = table.strings.indexOf('compute');
  const rows = Array.from(t0, (_, row) => row)
    .filter((row) => action[row] === compute && at(t1, row) >= at(t0, row))
    .sort((a, b) => at(t0, a) - at(t0, b));
  const isLost = new Set<number>(); // keys of which an earlier result was
  const workers = new Map<number, WorkerExecutions>();
  for (const row of rows) {
    const kind = lost[row] === 1 ? 'lost' : isLost.has(at(key, row)) ? 'again' : 'rest';
    if (kind === 'lost') isLost.add(at(key, row));
    const id = at(worker, row);
    const of = workers.get(id) ?? {
      worker: table.strings[id] ?? '',
      lost: 0,
      again: 0,
      stretches: [],
    };
    workers.set(id, of);
    if (kind !== 'rest') of[kind] += 1;
    const [from, to] = [at(t0, row), at(t1, row)];
    const before = of.stretches.findLast((one) => one.kind === kind);
    if (before && from - before.to < gap) before.to = Math.max(before.to, to);
    else of.stretches.push({ from, to, kind });
  }
  return [...workers.values()].filter((of) => of.lost + of.again > 0);
}
