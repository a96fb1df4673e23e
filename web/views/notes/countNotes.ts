import type { Doubt } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { notesOf } from './notes';

/** How many notes there are, and how many of them matter. */
export function countNotes(table: Table, stray: readonly Doubt[]): { total: number; doubtful: number; high: number } {
  const notes = notesOf(table, stray);
  return {
    total: notes.length,
    doubtful: notes.filter((note) => note.severity !== 'low').length,
    high: notes.filter((note) => note.severity === 'high').length,
  };
}
