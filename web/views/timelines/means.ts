import { factOf } from '../../domain/facts';
import { noteNumber } from '../../engine/table';
import type { Range } from '../../plot/timeAxis';
import { chunkSelection, workerSelection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';

/** Time means of the cluster over a range, in the core's units; NaN where nothing is known. */
export interface Means {
  cores: number;
  /** a share of the threads */
  cpu: number;
  executing_tasks: number;
  chunks_running: number;
  bytes_per_second: number;
  events_per_second: number;
}

/** Over `range`, or the whole run. */
export function useMeans(range: Range | undefined): Means {
  const time = range ? { time: [range[0], range[1]] as [number, number] } : {};
  const ticks = useAnswer('timeline', { ...workerSelection.value, ...time }).table;
  // the cores that the Summary names: the span knows of changes between two ticks
  const summary = useAnswer('summary', { ...workerSelection.value, ...time }).table;
  // one interval is the range itself
  const chunks = useAnswer(
    'throughput',
    { ...chunkSelection.value, ...time },
    { bins: 1, window: 'selection' },
  ).table;
  const mean = (column: 'chunks_running' | 'bytes_per_second' | 'events_per_second') =>
    chunks && chunks.rows > 0 ? chunks.number(column, 0) : Number.NaN;
  return {
    cores:
      (summary && factOf(summary, 'cores_time_average')?.value) ?? noteNumber(ticks, 'mean_cores'),
    cpu: noteNumber(ticks, 'mean_cpu'),
    executing_tasks: noteNumber(ticks, 'mean_executing_tasks'),
    chunks_running: mean('chunks_running'),
    bytes_per_second: mean('bytes_per_second'),
    events_per_second: mean('events_per_second'),
  };
}
