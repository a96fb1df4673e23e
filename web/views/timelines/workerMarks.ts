import { workerLabel } from '../../domain/workers';
import type { Seconds } from '../../engine/engine';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { count, fixed } from '../../plot/format';
import type { LaneMark } from './GanttPlot';

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

/** The same in words, on the worker's row; its bars may reach beyond the ticks at which it was seen. */
export function marksOfRow(
  workers: Table<'workers'>,
  worker: Row<'workers'>,
  lane: number,
  busy: { from: Seconds; until: Seconds },
): LaneMark[] {
  const marks: LaneMark[] = [];
  if (worker.joined_late === 1) {
    const before = worker.restarted_from;
    const text = before ? `replaces ${workerLabel(workers, before)}` : 'joined';
    const moment = Math.min(worker.first_seen, busy.from);
    marks.push({ lane, moment, sign: '▶', text: `${text} ${fixed(moment, 1)} s`, ends: true });
  }
  if (worker.left_early === 1) {
    const { lost, executions, last_seen } = worker;
    const text = lost > 0 ? ` · ${count(lost)} of ${count(executions)} tasks had to run again` : '';
    marks.push({
      lane,
      moment: Math.max(last_seen, busy.until),
      sign: '✕',
      text: `left at ${fixed(last_seen, 1)} s${text}`,
    });
  }
  return marks;
}
