import type { Selection } from '../engine/engine';
import { select, selection, without } from './selection';

export interface ColumnRange {
  column: string;
  lo: number;
  hi: number;
}

/**
 * The selection but for ranges of these columns: for pictures that have them as axes and show the
 * range on them.
 */
export function withoutRanges(from: Selection, columns: readonly string[]): Selection {
  const kept = (from.ranges ?? []).filter((range) => !columns.includes(range.column));
  return kept.length > 0 ? { ...from, ranges: kept } : without(from, 'ranges');
}

export function rangeOf(from: Selection, column: string): ColumnRange | undefined {
  return from.ranges?.find((range) => range.column === column);
}

/** Puts ranges in place of those that the same columns had; none = these columns are free again. */
export function selectRanges(columns: readonly string[], ranges: readonly ColumnRange[]): void {
  const rest = withoutRanges(selection.peek(), columns);
  const bounded = ranges.filter(({ lo, hi }) => Number.isFinite(lo) && Number.isFinite(hi));
  select({ ...rest, ranges: [...(rest.ranges ?? []), ...bounded] });
}
