import { factParts } from '../../domain/facts';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { coreTime, partsText, percentPart, signed, significant, withUnit } from '../../plot/format';
import type { DimensionOfChange, Per } from '../../state/pair';

/** NaN = not recorded, no number, or noise that nobody knows. */
export type Change = Row<'compare'>;

/** The rows of a group in the core's order: the total first, then by size of the change. */
export const changesOf = (table: Table<'compare'>, group: string): Change[] =>
  rowsOf(table).filter((change) => change.group === group);

/**
 * The total of a group and what it is made of; undefined when the two runs cannot be compared along
 * it.
 */
export function splitOf(
  table: Table<'compare'>,
  group: string,
): { total: Change; parts: Change[] } | undefined {
  const [total, ...parts] = changesOf(table, group);
  return total && { total, parts };
}

/** What core-time is compared in, for axes. */
export const perUnits: Record<Per, string> = {
  absolute: 'core-s',
  million_events: 'core-s per 10⁶ events',
  share: '% of available',
};

/**
 * In what an answer's parts are given: while another is awaited it is not yet what was asked for.
 */
export const perOf = ({ unit }: Change): Per =>
  unit === '1' ? 'share' : unit === 's' ? 'absolute' : 'million_events';

/** The unit in which a part of a total is printed: its seconds are of cores. */
export const partUnit = (unit: string): string =>
  unit.startsWith('s') ? unit.replace(/^s/, 'core-s') : unit;

/** A value of a row, for people. */
export function valueText(change: Change, value: number): string {
  if (!Number.isFinite(value)) return change.note.startsWith('only in') ? '–' : 'not recorded';
  if (change.group === 'setup' || change.group === 'summary')
    return partsText(factParts(change, value));
  if (change.unit === 's') return coreTime(value);
  return partsText(factParts({ id: change.id, unit: partUnit(change.unit) }, value));
}

const isShare = (unit: string): boolean => unit === '1' || unit === '%';

/** The difference with its sign; differences of shares are in percentage points. */
export function deltaText(change: Change): string {
  const { delta, unit } = change;
  if (!Number.isFinite(delta)) return '–';
  if (delta === 0) return 'no change';
  if (isShare(unit) && change.id !== 'speedup_factor')
    return signed(withUnit(significant(unit === '1' ? 100 * delta : delta, 3), 'pp'), delta);
  return signed(valueText(change, delta), delta);
}

/** The difference as a share of A; '' where that says nothing. */
export function relativeText(change: Change): string {
  if (!Number.isFinite(change.ratio)) return change.note.startsWith('only in') ? change.note : '';
  if (change.delta === 0) return '0';
  return signed(partsText([percentPart(change.ratio - 1)]), change.ratio - 1);
}

/** "× 0.818"; '' where one of the two has nothing. */
export const ratioText = (ratio: number): string =>
  !Number.isFinite(ratio) || ratio <= 0
    ? ''
    : ratio >= 10
      ? `× ${significant(ratio, 2)}`
      : `× ${significant(ratio)}`;

/**
 * Whether a difference says anything: "better", "worse", "changed", "within noise", "no error estimate"
 * or "same".
 */
export function judgement(change: Change): string {
  if (!Number.isFinite(change.delta)) return '';
  if (change.delta === 0) return 'same';
  if (Number.isNaN(change.noteworthy)) return 'no error estimate';
  if (change.noteworthy === 0) return 'within noise';
  return change.verdict || 'changed';
}

/** "A 23.2 → B 28.6" and how sure, for a tooltip. */
export function changeSentence(change: Change): string {
  const noise = Number.isFinite(change.noise)
    ? `, standard error ${valueText({ ...change, note: '' }, change.noise)}`
    : '';
  return `${valueText(change, change.a)} → ${valueText(change, change.b)}: ${deltaText(change)}${noise}`;
}

export const dimensionTitles: Record<DimensionOfChange, string> = {
  dataset: 'Dataset',
  section: 'Section',
  activity: 'Activity',
  own: 'Own function',
  host: 'Host',
  frame: 'Function',
};

/** What is added up along a dimension. */
export const dimensionMeasures: Record<DimensionOfChange, string> = {
  dataset: 'in process()',
  section: 'in sections of process()',
  activity: 'by activity',
  own: 'in your own functions, including callees',
  host: 'in process()',
  frame: 'in functions themselves',
};
