import type { RunId, Selection } from '../engine/engine';
import type { Table } from '../engine/table';

/**
 * Answers never change while a run is open: the last ones are kept so that going back to a view is
 * immediate.
 */
const kept = new Map<string, Kept>();
const keptAtMost = 60;
/** A flame graph of a million samples has some 50 MB. */
const keptBytes = 128e6;

interface Kept {
  runs: readonly RunId[];
  table: Table;
  bytes: number;
  /** of the whole run */
  isWhole: boolean;
}

/** What is kept of an answer; it was used just now. */
export function keptAnswer(key: string | undefined): Table | undefined {
  const entry = key === undefined ? undefined : kept.get(key);
  if (key === undefined || !entry) return undefined;
  kept.delete(key);
  kept.set(key, entry);
  return entry.table;
}

/**
 * The latest stays however large it is: a view is about to show it. A brush makes hundreds of
 * answers that nobody asks for again: they leave before those of the whole run, to which one
 * returns.
 */
export function keep(
  key: string,
  { runs, selection }: { runs: readonly RunId[]; selection: Selection },
  table: Table,
): void {
  kept.delete(key);
  const isWhole = Object.keys(selection).length === 0;
  kept.set(key, { runs, table, bytes: bytesOf(table), isWhole });
  let bytes = 0;
  for (const entry of kept.values()) bytes += entry.bytes;
  for (const onlyNarrowed of [true, false]) {
    for (const [oldest, entry] of kept) {
      if (kept.size <= keptAtMost && bytes <= keptBytes) return;
      if (oldest === key || (onlyNarrowed && entry.isWhole)) continue;
      kept.delete(oldest);
      bytes -= entry.bytes;
    }
  }
}

function bytesOf({ columns, strings }: Table): number {
  let bytes = 0;
  for (const one of columns) bytes += (one.type === 'text' ? one.texts : one.numbers).byteLength;
  for (const one of strings) bytes += 2 * one.length;
  return bytes;
}

export function forgetAnswers(run: RunId): void {
  for (const [key, entry] of kept) if (entry.runs.includes(run)) kept.delete(key);
}
