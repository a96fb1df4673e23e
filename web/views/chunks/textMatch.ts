import type { Table } from '../../engine/table';

/**
 * Which rows have every word of `text` in one of their texts, whatever its case; undefined without
 * a word: all of them.
 */
export function rowsMatching(table: Table, text: string): Uint8Array | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  // a hundred thousand chunks have few distinct texts: each is looked at once
  const strings = table.strings.map((string) => string.toLowerCase());
  const hits = words.map((word) =>
    Uint8Array.from(strings, (string) => (string.includes(word) ? 1 : 0)),
  );
  const columns = table.columns.flatMap((column) => (column.type === 'text' ? [column.texts] : []));
  return Uint8Array.from({ length: table.rows }, (_, row) =>
    hits.every((hit) => columns.some((ids) => hit[ids[row] as number] === 1)) ? 1 : 0,
  );
}
