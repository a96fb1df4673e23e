import { noteNumber, type Row, rowsOf, type Table } from '../engine/table';
import { type CoreTimeScale, coreTime, percent } from '../plot/format';
import type { BarSegment } from '../plot/StackedBar';

export type BudgetPart = Row<'budget'>;

export interface BudgetRows {
  available: BudgetPart | undefined;
  phases: BudgetPart[];
  activities: BudgetPart[];
  sections: BudgetPart[];
  /** small task prefixes together */
  others: BudgetPart;
  /** [core-s] where the longest of the bars ends */
  whole: number;
  /** of the processor's tasks, of that */
  processorShare: number;
  /** [core-s] the same */
  processorSeconds: number;
}

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

/** The parts by what they split the whole into, in the order in which they are drawn. */
export function budgetRows(table: Table<'budget'>): BudgetRows {
  const rows = rowsOf(table);
  const of = (split: string) => rows.filter((row) => row.split === split);
  return {
    available: of('whole')[0],
    phases: of('phase').sort(
      (a, b) => phaseRank(a.part) - phaseRank(b.part) || b.core_seconds - a.core_seconds,
    ),
    activities: of('activity').sort(
      (a, b) => Number(isIdle(a)) - Number(isIdle(b)) || b.core_seconds - a.core_seconds,
    ),
    sections: of('section').sort((a, b) => b.core_seconds - a.core_seconds),
    others: {
      part: 'task:others',
      parent: 'available',
      label: 'Other tasks',
      split: 'phase',
      core_seconds: noteNumber(table, 'small_seconds'),
      fraction: noteNumber(table, 'small_fraction'),
      share: noteNumber(table, 'small_share'),
      source: 'Σ execute seconds of task prefixes that are not the processor',
      shortfall: 0,
      small: 0,
    },
    whole: noteNumber(table, 'whole'),
    processorShare: noteNumber(table, 'processor_share'),
    processorSeconds: noteNumber(table, 'processor_seconds'),
  };
}

const isIdle = (part: BudgetPart): boolean => part.part.endsWith('idle');

/**
 * The phases with small task prefixes merged into one part: names on hover, not five lines of
 * labels.
 */
export function mergedTasks({ phases, others }: BudgetRows): {
  parts: BudgetPart[];
  merged: BudgetPart[];
} {
  const merged = phases.filter((part) => part.small === 1);
  if (merged.length < 2) return { parts: phases, merged: [] };
  const parts = phases.filter((part) => !merged.includes(part));
  const place = parts.findIndex((part) => phaseRank(part.part) > phaseRank(others.part));
  parts.splice(place < 0 ? parts.length : place, 0, others);
  return { parts, merged };
}

export function phaseSegment(part: BudgetPart, scale: CoreTimeScale): BarSegment {
  return {
    id: part.part,
    label: part.label,
    shortLabel: shortLabels[part.part],
    value: part.core_seconds,
    ...phaseLook(part.part),
    valueText: coreTime(part.core_seconds, scale),
    shareText: Number.isFinite(part.fraction) ? percent(part.fraction) : '',
  };
}
