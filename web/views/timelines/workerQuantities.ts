import type { OptionsOf } from '../../engine/questions';
import { rateScale, type Scale } from '../../plot/format';
import type { Across } from '../../plot/heat';
import type { Form } from '../../state/timelines';

/** A quantity that every worker has at every tick. */
export interface WorkerQuantity {
  id: string;
  title: string;
  /** of the core's `worker_spread` and `worker_matrix` */
  series: NonNullable<OptionsOf<'worker_spread'>['series']>;
  /** what stands after the unit */
  note: string;
  colour: string;
  /** by the largest value that occurs */
  scale: (largest: number) => Scale;
  /** which worker a row of a heat map shows that several share, and which moment a pixel */
  across: Across;
  /** single wild samples may leave the picture */
  robust?: boolean;
  /** the sum over workers is what matters, not their mean */
  summed?: boolean;
  /** folded until it is wanted */
  minor?: boolean;
}

const iec = (largest: number): Scale =>
  largest >= 1024 ** 3 ? { unit: 'GiB', divisor: 1024 ** 3 } : { unit: 'MiB', divisor: 1024 ** 2 };

const plain = (unit: string) => (): Scale => ({ unit, divisor: 1 });

export const workerQuantities: readonly WorkerQuantity[] = [
  {
    id: 'cpu',
    title: 'CPU',
    series: 'cpu_share',
    note: 'of its threads',
    colour: '--seq-5',
    scale: () => ({ unit: '%', divisor: 0.01 }),
    across: 'min',
    robust: true,
  },
  {
    id: 'memory',
    title: 'Memory',
    series: 'memory',
    note: 'RSS',
    colour: '--c6',
    scale: iec,
    across: 'max',
  },
  {
    id: 'tasks',
    title: 'Tasks',
    series: 'active_tasks',
    note: 'assigned',
    colour: '--c4',
    scale: plain(''),
    across: 'max',
    summed: true,
  },
  {
    id: 'executing',
    title: 'Executing',
    series: 'executing',
    note: 'tasks, by heartbeat',
    colour: '--c8',
    scale: plain(''),
    across: 'max',
    minor: true,
  },
  {
    id: 'occupancy',
    title: 'Occupancy',
    series: 'occupancy',
    note: 'of queued work',
    colour: '--c7',
    scale: plain('s'),
    across: 'max',
  },
  {
    id: 'stored',
    title: 'Stored results',
    series: 'nbytes',
    note: 'held per worker',
    colour: '--c3',
    scale: (largest) => rateScale(largest, 'B'),
    across: 'max',
    minor: true,
  },
  {
    id: 'lag',
    title: 'Heartbeat lag',
    series: 'last_seen',
    note: 'since the last heartbeat',
    colour: '--c5',
    scale: plain('s'),
    across: 'max',
    minor: true,
  },
];

const fewWorkers = 6;
const someWorkers = 32;

const forms: readonly { id: Form; title: string }[] = [
  { id: 'mean', title: 'Mean' },
  { id: 'heat', title: 'Heat' },
  { id: 'lines', title: 'Lines' },
];

/** In which a quantity can be drawn: many lines would hide each other. */
export const formsOf = (workers: number) =>
  forms.filter(({ id }) => id !== 'lines' || workers <= fewWorkers);

/** The one that was chosen, else what suits the number of workers. */
export function formOf(quantity: WorkerQuantity, workers: number, chosen: Form | undefined): Form {
  if (chosen && formsOf(workers).some(({ id }) => id === chosen)) return chosen;
  if (workers <= fewWorkers) return 'lines';
  return workers > someWorkers && quantity.id === 'cpu' ? 'heat' : 'mean';
}
