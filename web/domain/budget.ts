import { type Row, rowsOf, type Table } from '../engine/table';
import type { BarSegment } from '../plot/StackedBar';

/** The order in which phases stand side by side; tasks of other names between them. */
const phaseOrder = [
  'inside_process',
  'processor_tasks',
  'outside_process',
  'lost_work',
  'task',
  'other_tasks',
  'not_in_process',
  'idle',
];

export const phaseRank = (id: string): number =>
  phaseOrder.indexOf(id.startsWith('task:') ? 'task' : id);

const phaseColours: Record<string, string> = {
  inside_process: '--ph-process',
  processor_tasks: '--ph-process',
  outside_process: '--ph-outside',
  lost_work: '--ph-lost',
};

/** Colour and texture of a phase; what is idle or unknown is hatched, never solid. */
export function phaseLook(id: string): Pick<BarSegment, 'colour' | 'texture'> {
  if (id === 'idle' || id === 'not_in_process') return { colour: '--ph-idle', texture: 'hatched' };
  if (id === 'lost_work') return { colour: '--ph-lost', texture: 'crossed' };
  return { colour: phaseColours[id] ?? '--ph-tasks', texture: 'solid' };
}

/** Dask's activities over all tasks. */
export const activitiesOf = (table: Table<'budget'>): Row<'budget'>[] =>
  rowsOf(table).filter(({ split }) => split === 'activity');
