import { workerLabel } from '../../domain/workers';
import type { Seconds } from '../../engine/engine';
import type { Row, Table } from '../../engine/table';
import { count, fixed } from '../../plot/format';
import type { LaneMark } from './GanttPlot';

/** Their coming and going in words, on the worker's row; its bars may reach beyond the ticks at which it was seen. */
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
