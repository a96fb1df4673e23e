import type { Table } from '../engine/table';
import { type CoreTimeScale, coreTime, percent } from '../plot/format';
import type { BarSegment } from '../plot/StackedBar';
import { activityColour, activityLabel } from './activities';

/** A row of the `budget` question. */
export interface BudgetPart {
  id: string;
  label: string;
  split: string;
  coreSeconds: number;
  /** of what is available; NaN when that is unknown */
  fraction: number;
  source: string;
  shortfall: number;
}

export interface BudgetRows {
  available: BudgetPart | undefined;
  phases: BudgetPart[];
  activities: BudgetPart[];
  sections: BudgetPart[];
}

/** The order in which phases stand side by side; tasks of other names between them. */
const phaseOrder = [
  'inside_process',
  'processor_tasks',
  'outside_process',
  'lost_work',
  'task',
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

const shortLabels: Record<string, string> = {
  outside_process: 'Outside',
  inside_process: 'process()',
  not_in_process: 'Not in process()',
};

/** Colour and texture of a phase; what is idle or unknown is hatched, never solid. */
export function phaseLook(id: string): Pick<BarSegment, 'colour' | 'texture'> {
  if (id === 'idle' || id === 'not_in_process') return { colour: '--ph-idle', texture: 'hatched' };
  if (id === 'lost_work') return { colour: '--ph-lost', texture: 'crossed' };
  return { colour: phaseColours[id] ?? '--ph-tasks', texture: 'solid' };
}

/** What the processor's tasks were at: the phases that one bracket stands over. */
export const processorParts = (rows: BudgetRows): BudgetPart[] =>
  rows.phases.filter((part) =>
    ['inside_process', 'outside_process', 'lost_work'].includes(part.id),
  );

export function budgetRows(table: Table): BudgetRows {
  const rows: BudgetPart[] = Array.from({ length: table.rows }, (_, row) => ({
    id: table.text('part', row) ?? '',
    label: table.text('label', row) ?? table.text('part', row) ?? '',
    split: table.text('split', row) ?? '',
    coreSeconds: table.number('core_seconds', row),
    fraction: table.number('fraction', row),
    source: table.text('source', row) ?? '',
    shortfall: table.has('shortfall') ? table.number('shortfall', row) : 0,
  }));
  const of = (split: string) => rows.filter((row) => row.split === split);
  return {
    available: of('whole')[0],
    phases: of('phase').sort(
      (a, b) => phaseRank(a.id) - phaseRank(b.id) || b.coreSeconds - a.coreSeconds,
    ),
    activities: of('activity').sort(
      (a, b) => Number(isIdle(a)) - Number(isIdle(b)) || b.coreSeconds - a.coreSeconds,
    ),
    sections: of('section').sort((a, b) => b.coreSeconds - a.coreSeconds),
  };
}

const isIdle = (part: BudgetPart): boolean => part.id.endsWith('idle');

/** Small task prefixes share one segment: names on hover, not five lines of labels. */
const ownSegmentFrom = 0.02;

/** The phases with small task prefixes merged into one part. */
export function mergedTasks(
  phases: readonly BudgetPart[],
  whole: number,
): { parts: BudgetPart[]; merged: BudgetPart[] } {
  const merged = phases.filter(
    (part) => part.id.startsWith('task:') && part.coreSeconds < ownSegmentFrom * whole,
  );
  if (merged.length < 2) return { parts: [...phases], merged: [] };
  const together: BudgetPart = {
    id: 'task:others',
    label: 'Other tasks',
    split: 'phase',
    coreSeconds: merged.reduce((sum, part) => sum + part.coreSeconds, 0),
    fraction: merged.reduce((sum, part) => sum + part.fraction, 0),
    source: 'Σ execute seconds of task prefixes that are not the processor',
    shortfall: 0,
  };
  const parts = phases.filter((part) => !merged.includes(part));
  const place = parts.findIndex((part) => phaseRank(part.id) > phaseRank(together.id));
  parts.splice(place < 0 ? parts.length : place, 0, together);
  return { parts, merged };
}

export function phaseSegment(part: BudgetPart, scale: CoreTimeScale): BarSegment {
  return {
    id: part.id,
    label: part.label,
    shortLabel: shortLabels[part.id],
    value: part.coreSeconds,
    ...phaseLook(part.id),
    valueText: coreTime(part.coreSeconds, scale),
    shareText: Number.isFinite(part.fraction) ? percent(part.fraction) : '',
  };
}

export function activitySegment(part: BudgetPart, scale: CoreTimeScale): BarSegment {
  const name = part.id.replace(/^activity:/, '');
  return {
    id: part.id,
    label: activityLabel(name),
    value: part.coreSeconds,
    colour: isIdle(part) ? '--ph-idle' : activityColour(name),
    texture: isIdle(part) ? 'hatched' : 'solid',
    valueText: coreTime(part.coreSeconds, scale),
    shareText: Number.isFinite(part.fraction) ? percent(part.fraction) : '',
  };
}
