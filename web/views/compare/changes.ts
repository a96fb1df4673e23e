import { factParts } from '../../domain/facts';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { coreTime, partsText, percentPart, signed, significant, withUnit } from '../../plot/format';
import type { DimensionOfChange } from '../../state/pair';

/** NaN = not recorded, no number, or noise that nobody knows. */
export type Change = Row<'compare'>;

/** The rows of a group in the core's order: the total first, then by size of the change. */
export const changesOf = (table: Table<'compare'>, group: string): Change[] =>
  rowsOf(table).filter((change) => change.group === group);

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
  section: 'Sections',
  own: 'Functions',
  dataset: 'Datasets',
  host: 'Hosts',
};
