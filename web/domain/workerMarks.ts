import type { Seconds } from '../engine/engine';
import { rowsOf, type Table } from '../engine/table';

/** A moment at which a worker came or went. */
export interface WorkerMark {
  kind: 'joined' | 'left' | 'restarted';
  moment: Seconds;
  colour: string;
}

/**
 * From the answer of `workers`: those that came after the first, and those that went before
 * the last.
 */
export function workerMarks(workers: Table<'workers'>): WorkerMark[] {
  const marks: WorkerMark[] = [];
  for (const { first_seen, last_seen, joined_late, left_early, restarted_from } of rowsOf(
    workers,
  )) {
    if (joined_late === 1 && restarted_from)
      marks.push({ kind: 'restarted', moment: first_seen, colour: '--warn' });
    else if (joined_late === 1)
      marks.push({ kind: 'joined', moment: first_seen, colour: '--good' });
    if (left_early === 1) marks.push({ kind: 'left', moment: last_seen, colour: '--bad' });
  }
  return marks;
}

const kinds = ['joined', 'left', 'restarted'] as const;

/** How many of each kind, of those that there are. */
export const countMarks = (marks: readonly WorkerMark[]) =>
  kinds
    .map((kind) => ({ kind, found: marks.filter((mark) => mark.kind === kind) }))
    .filter(({ found }) => found.length > 0);
