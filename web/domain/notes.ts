import type { DataNote } from '../engine/engine';
import type { Table } from '../engine/table';
import { dataNotesOf } from '../state/dataNotes';
import { sentenceCase } from './sentenceCase';

const severityRank = { high: 0, medium: 1, low: 2 } as const;

/** What is doubtful about a run, and about stray files of the same opening, most serious first. */
export function notesOf(table: Table, stray: readonly DataNote[]): DataNote[] {
  return [...dataNotesOf(table), ...stray]
    .map((note) => ({ ...note, message: sentenceCase(note.message) }))
    .sort((a, b) => severityRank[a.severity] - severityRank[b.severity]);
}

/** How many notes there are, and how many of them matter. */
export function countNotes(
  table: Table,
  stray: readonly DataNote[],
): { total: number; doubtful: number; high: number } {
  const notes = notesOf(table, stray);
  return {
    total: notes.length,
    doubtful: notes.filter((note) => note.severity !== 'low').length,
    high: notes.filter((note) => note.severity === 'high').length,
  };
}
