import { type Column, missingText, Table } from '../../engine/table';

/**
 * Answers of several runs to one question below each other, for a panel that draws them together;
 * `run` says whose a row is.
 */
export function joinedTables(
  parts: readonly { run: string; table: Table | undefined }[],
): Table | undefined {
  const there = parts.flatMap(({ run, table }) => (table ? [{ run, table }] : []));
  const [first] = there;
  if (!first) return undefined;
  const rows = there.reduce((sum, { table }) => sum + table.rows, 0);
  const strings: string[] = [];
  const ids = new Map<string, number>();
  const idOf = (text: string | undefined): number => {
    if (text === undefined) return missingText;
    const known = ids.get(text) ?? strings.push(text) - 1;
    ids.set(text, known);
    return known;
  };
  const runs: Column = {
    name: 'run',
    type: 'text',
    unit: '',
    formula: '',
    width: 1,
    texts: new Uint32Array(rows),
  };
  const columns = first.table.columns.map((column): Column => {
    if (column.type === 'text') return { ...column, texts: new Uint32Array(rows) };
    return { ...column, numbers: new Float64Array(rows * column.width).fill(Number.NaN) };
  });
  let begin = 0;
  for (const { run, table } of there) {
    runs.texts.fill(idOf(run), begin, begin + table.rows);
    for (const column of columns) {
      const from = table.has(column.name) ? table.column(column.name) : undefined;
      if (column.type === 'text' && from?.type === 'text')
        column.texts.set(
          Uint32Array.from(from.texts, (id) => idOf(table.strings[id])),
          begin,
        );
      else if (
        column.type !== 'text' &&
        from &&
        from.type !== 'text' &&
        from.width === column.width
      )
        column.numbers.set(from.numbers, begin * column.width);
    }
    begin += table.rows;
  }
  return new Table({
    question: first.table.question,
    rows,
    columns: [runs, ...columns],
    strings,
    notes: {},
  });
}
