import type { Doubt } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { doubtsOf } from '../../state/doubts';
import { sentenceCase } from '../common/sentenceCase';

const gravity = { high: 0, medium: 1, low: 2 } as const;

/** What is doubtful about a run, and about stray files of the same opening, gravest first. */
export function notesOf(table: Table, stray: readonly Doubt[]): Doubt[] {
  return [...doubtsOf(table), ...stray]
    .map((note) => ({ ...note, message: sentenceCase(note.message) }))
    .sort((a, b) => gravity[a.severity] - gravity[b.severity]);
}
