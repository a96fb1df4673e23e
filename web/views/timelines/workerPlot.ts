import type { Phase } from '../../domain/phases';
import type { Table } from '../../engine/table';
import type { Scale } from '../../plot/format';
import type { Steps } from '../../plot/steps';
import type { TimeAxis } from '../../plot/timeAxis';
import type { Surface } from './surface';
import type { WorkerQuantity } from './workerQuantities';

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
