import type { RunId } from '../engine/engine';
import type { Table } from '../engine/table';

/**
 * Answers never change while a run is open: the last ones are kept so that going back to a view is
 * immediate.
 */
export const kept = new Map<string, Kept>();
const keptAtMost = 60;
/** A flame graph of a million samples has some 50 MB. */
const keptBytes = 128e6;

interface Kept {
  runs: readonly RunId[];
  table: Table;
  bytes: number;
}

/** The latest stays however large it is: a view is about to show it. */
export function keep(key: string, runs: readonly RunId[], table: Table): void {
  kept.delete(key);
  kept.set(key, { runs, table, bytes: bytesOf(table) });
  let bytes = 0;
  for (const entry of kept.values()) bytes += entry.bytes;
  for (const [oldest, entry] of kept) {
    if (oldest === key || (kept.size <= keptAtMost && bytes <= keptBytes)) return;
    kept.delete(oldest);
    bytes -= entry.bytes;
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
