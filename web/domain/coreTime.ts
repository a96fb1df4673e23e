import { type Row, rowsOf, type Table } from '../engine/table';
import {
  type CoreTimeScale,
  coreTime,
  coreTimePart,
  coreTimeScale,
  coreTimeValue,
} from '../plot/format';
import { activityColour, activityLabel } from './activities';
import { categoryColour } from './categories';
import { cannotTell, halfWidth } from './prediction';
import { workerLabel } from './workers';

/** A part of the core-time, as `core_time_tree` has it. */
export type CorePart = Row<'core_time_tree'>;

const phaseColours: Record<string, string> = {
  available: '--line-2',
  inside_process: '--ph-process',
  processor_tasks: '--ph-process',
  outside_process: '--ph-outside',
  lost_work: '--ph-lost',
  other_tasks: '--ph-tasks',
  task: '--ph-tasks',
  worker: '--ph-lost',
  exception: '--ph-lost',
  function: '--pk-user',
  section: '--pk-user',
  no_section: '--pk-std',
};

const purposeColours: Record<string, string> = {
  'Opening files, building events': '--pk-uproot',
  'Packing results': '--pk-coffea',
  'Unpacking the processor': '--pk-coffea',
  'Importing modules': '--pk-std',
  'Before and after (Dask)': '--pk-dask',
};

/** One colour, one meaning: of phases, of whose code it is, of datasets, of activities. */
export function partColour(part: CorePart, datasetColour: (name: string) => string): string {
  if (part.kind === 'dataset') return datasetColour(part.label);
  if (part.kind === 'activity') return activityColour(part.label);
  if (part.kind === 'purpose') return purposeColours[part.label] ?? '--pk-oth';
  if (part.kind === 'library' || part.kind === 'leaf')
    return part.category ? categoryColour(part.category) : '--pk-oth';
  return phaseColours[part.kind] ?? '--pk-std';
}

const idleKinds = new Set(
  'idle idle_cause idle_rest client client_function not_in_process unsampled'.split(' '),
);

/** What is idle or not known is hatched, never solid; lost work is crossed. */
export function partTexture(part: CorePart): 'hatched' | 'crossed' | 'solid' {
  if (idleKinds.has(part.kind)) return 'hatched';
  if (part.certainty === 'not known') return 'hatched';
  return ['lost_work', 'worker', 'exception'].includes(part.kind) ? 'crossed' : 'solid';
}

/** Of a function without a name, as "<genexpr>", there may be several. */
export const partLabel = ({ kind, label, line }: CorePart): string => {
  if (kind === 'activity') return activityLabel(label);
  return label.startsWith('<') && line > 0 ? `${label}:${line}` : label;
};

/** The parts of an answer, with workers called as everywhere: `workers` answers that question. */
export const partsOf = (
  table: Table<'core_time_tree'> | undefined,
  workers: Table | undefined,
): CorePart[] =>
  rowsOf(table).map((part) =>
    part.kind === 'worker' ? { ...part, label: workerLabel(workers, part.label) } : part,
  );

/** What a row of boxes is, and where it is from. */
const rowTitles: Record<string, readonly [title: string, source: string]> = {
  available: ['Available', 'all cores'],
  inside_process: ['Phase', 'chunks, tasks'],
  processor_tasks: ['Phase', 'tasks'],
  outside_process: ['Phase', 'chunks, tasks'],
  lost_work: ['Phase', 'chunks, tasks'],
  other_tasks: ['Phase', 'chunks, tasks'],
  idle: ['Phase', 'chunks, tasks'],
  function: ['Your function', 'profile'],
  purpose: ['Purpose', 'profile'],
  library: ['Library', 'where it ended'],
  leaf: ['Function', 'where it ended'],
  dataset: ['Dataset', 'chunks'],
  section: ['Section', 'chunks'],
  no_section: ['Section', 'chunks'],
  activity: ['Activity', 'fine metrics'],
  task: ['Task', 'fine metrics'],
  idle_cause: ['Cause', 'gaps'],
  client: ['Client', 'no task ran'],
  client_function: ['Client in', 'looks at it'],
  worker: ['Repeated by', 'task stream'],
  exception: ['Repeated by', 'task stream'],
};

/** Of the row's first part: the largest of the first that unfolds. */
export const rowTitle = (parts: readonly CorePart[]): readonly [string, string] =>
  rowTitles[parts[0]?.kind ?? ''] ?? ['', ''];

const kindTexts: Record<string, string> = {
  function: 'function of your analysis',
  library: 'library',
  leaf: 'function',
  dataset: 'dataset',
  section: 'section of process()',
  activity: 'activity',
  task: 'task prefix',
  idle_cause: 'idle, by cause',
  client: 'idle while no task ran',
  client_function: 'what the client was in',
  worker: 'worker',
  exception: 'what tasks raised',
  purpose: 'outside process()',
};

export const kindText = (part: CorePart): string => kindTexts[part.kind] ?? '';

/**
 * "[23.1–25.4]": what is certain, and what is possible, in the unit that the part itself is printed
 * in.
 */
export const boundsText = (
  { core_seconds, least, most }: Pick<CorePart, 'core_seconds' | 'least' | 'most'>,
  scale = coreTimeScale(core_seconds),
): string => `[${coreTimePart(least, scale).value}–${coreTimePart(most, scale).value}]`;

/** Several that are compared, in the unit of the largest. */
export function coreTimes(...all: number[]): string[] {
  const scale = coreTimeScale(Math.max(...all.filter(Number.isFinite)));
  return all.map((one) => coreTime(one, scale));
}

/** Within this relative error a time is one number. */
const oneNumber = 0.03;

export const errorOf = ({ least, most }: CorePart): number => halfWidth(least, most);

/**
 * What a function took, and between what it lies where that is not one number. Of a wide interval
 * no number in it stands for it, and two digits of its ends say all.
 */
export function timeOf(
  part: CorePart,
  scale: CoreTimeScale,
): readonly [value: string, bounds: string] {
  const isWide = errorOf(part) > cannotTell;
  const bounds = [part.least, part.most]
    .map((bound) => coreTimeValue(bound, scale, isWide ? 2 : undefined))
    .join(' to ');
  if (isWide) return [bounds, ''];
  return [coreTimeValue(part.core_seconds, scale), errorOf(part) > oneNumber ? ` (${bounds})` : ''];
}
