import type { Phase } from '../../domain/phases';
import type { Table } from '../../engine/table';
import type { TimeAxis } from '../../plot/timeAxis';
import type { Surface } from './surface';
import type { Spread } from './WorkerTrack';
import type { WorkerQuantity } from './workerQuantities';

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
