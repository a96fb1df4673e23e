import type { DataNote } from '../engine/engine';
import type { Table } from '../engine/table';

const severityOf = (text: string | undefined): DataNote['severity'] =>
  text === 'high' || text === 'medium' ? text : 'low';

/** The rows of the `quality` question. */
export function dataNotesOf(table: Table): DataNote[] {
  return Array.from({ length: table.rows }, (_, row) => {
    const offset = table.number('offset', row);
    return {
      id: table.text('id', row) ?? '',
      severity: severityOf(table.text('severity', row)),
      file: table.text('file', row) ?? '',
      path: table.text('path', row) ?? '',
      message: table.text('message', row) ?? '',
      count: table.number('count', row),
      ...(Number.isFinite(offset) ? { offset } : {}),
    };
  });
}
