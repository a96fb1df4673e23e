import { rowsOf, type Table } from '../engine/table';

/** From when to when a worker was in tasks of one kind [s]. */
export interface Stretch {
  from: number;
  to: number;
  kind: 'lost' | 'again' | 'rest';
}

export interface WorkerExecutions {
  worker: string;
  lost: number;
  again: number;
  stretches: Stretch[];
}

/**
 * Of `tasks`, workers that ran what was lost or ran it again, in order of their first task. Tasks
 * beside it that are less than `gap` apart are one stretch.
 */
export function lostExecutions(table: Table<'tasks'>, gap: number): WorkerExecutions[] {
  const tasks = rowsOf(table).filter(({ action, t0, t1 }) => action === 'compute' && t1 >= t0);
  const lostAt = new Map<string, number>();
  for (const { key, lost, t0 } of tasks)
    if (lost === 1) lostAt.set(key, Math.min(t0, lostAt.get(key) ?? t0));
  const workers = new Map<string, WorkerExecutions>();
  for (const { worker, key, lost, t0, t1 } of tasks.sort((a, b) => a.t0 - b.t0)) {
    const first = lostAt.get(key);
    const kind = lost === 1 ? 'lost' : first !== undefined && t0 > first ? 'again' : 'rest';
    const of = workers.get(worker) ?? { worker, lost: 0, again: 0, stretches: [] };
    workers.set(worker, of);
    if (kind !== 'rest') of[kind] += 1;
    const before = of.stretches.at(-1);
    if (kind === 'rest' && before?.kind === 'rest' && t0 - before.to < gap)
      before.to = Math.max(before.to, t1);
    else of.stretches.push({ from: t0, to: t1, kind });
  }
  return [...workers.values()].filter(({ lost, again }) => lost + again > 0);
}
