import type { Phase } from '../../domain/phases';
import type { Table } from '../../engine/table';
import type { Steps } from '../../plot/steps';
import type { TimeAxis } from '../../plot/timeAxis';
import type { Surface } from './surface';
import type { Scale, WorkerQuantity } from './workerQuantities';

/** The answer of `worker_spread` in the track's unit. */
export interface Spread {
  mean: Steps;
  total: Steps;
  p10: Steps;
  p90: Steps;
  min: Steps;
  max: Steps;
  scale: Scale;
  /** of all workers and ticks, in the track's unit */
  peak: number;
}

/** What every form of a worker track is given. */
export interface WorkerPlotProps {
  quantity: WorkerQuantity;
  axis: TimeAxis;
  surface: Surface;
  spread: Spread;
  /** the answer of `workers` */
  workers: Table;
  phases: readonly Phase[];
}

/** A worker as people call it: its name, else its address without the scheme. */
export function workerLabel(workers: Table, address: string): string {
  const row = workers.rowOf('worker', address);
  const name = row < 0 ? undefined : workers.text('name', row);
  // Dask names local workers by number
  if (name && /^\d+$/.test(name)) return `worker ${name}`;
  return name ?? address.replace(/^[a-z]+:\/\//, '');
}
