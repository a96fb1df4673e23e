import type { Doubt } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { sentenceCase } from '../common/sentenceCase';

const gravity = { high: 0, medium: 1, low: 2 } as const;

const severityOf = (text: string | undefined): Doubt['severity'] =>
  text === 'high' || text === 'medium' ? text : 'low';

/** The rows of the `quality` question and what is doubtful about stray files of the same opening, gravest first. */
export function notesOf(table: Table, stray: readonly Doubt[]): Doubt[] {
  const rows: Doubt[] = Array.from({ length: table.rows }, (_, row) => {
    const offset = table.number('offset', row);
    return {
      id: table.text('id', row) ?? '',
      severity: severityOf(table.text('severity', row)),
      file: table.text('file', row) ?? '',
      path: table.text('path', row) ?? '',
      message: sentenceCase(table.text('message', row) ?? ''),
      count: table.number('count', row),
      ...(Number.isFinite(offset) ? { offset } : {}),
    };
  });
  return [...rows, ...stray].sort((a, b) => gravity[a.severity] - gravity[b.severity]);
}
