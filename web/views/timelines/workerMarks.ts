import type { Seconds } from '../../engine/engine';
import type { Table } from '../../engine/table';

/** A moment at which a worker came or went. */
export interface WorkerMark {
  kind: 'joined' | 'left' | 'restarted';
  moment: Seconds;
  colour: string;
}

/**
 * From the answer of `workers`: those that came after the first tick, and those that went before
 * the last.
 */
export function workerMarks(workers: Table): WorkerMark[] {
  const first =
    workers.rows > 0 ? Math.min(...workers.numbers('first_seen').filter(Number.isFinite)) : 0;
  const marks: WorkerMark[] = [];
  for (let row = 0; row < workers.rows; row += 1) {
    const seen = workers.number('first_seen', row);
    if (seen > first) {
      if (workers.text('restarted_from', row))
        marks.push({ kind: 'restarted', moment: seen, colour: '--warn' });
      else marks.push({ kind: 'joined', moment: seen, colour: '--good' });
    }
    if (workers.number('left_early', row) === 1) {
      marks.push({ kind: 'left', moment: workers.number('last_seen', row), colour: '--bad' });
    }
  }
  return marks;
}
