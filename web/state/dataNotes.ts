import type { DataNote } from '../engine/engine';
import { rowsOf, type Table } from '../engine/table';

const severityOf = (text: string | undefined): DataNote['severity'] =>
  text === 'high' || text === 'medium' ? text : 'low';

/** The rows of the `quality` question. */
export const dataNotesOf = (table: Table<'quality'>): DataNote[] =>
  rowsOf(table).map(({ offset, severity, ...note }) => ({
    ...note,
    severity: severityOf(severity),
    ...(Number.isFinite(offset) ? { offset } : {}),
  }));
