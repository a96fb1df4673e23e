import { type Column, Table } from '../../web/engine/table';

/** A table from its columns: texts, or numbers with a unit. */
export function table(
  question: string,
  columns: Record<string, (string | null)[] | { unit: string; values: number[] }>,
): Table {
  const strings: string[] = [];
  const idOf = (text: string | null) => {
    if (text === null) return 0xffffffff;
    const known = strings.indexOf(text);
    return known < 0 ? strings.push(text) - 1 : known;
  };
  const made = Object.entries(columns).map(([name, given]): Column => {
    if (!Array.isArray(given)) {
      const numbers = Float64Array.from(given.values);
      return { name, type: 'number', unit: given.unit, formula: '', width: 1, numbers };
    }
    return {
      name,
      type: 'text',
      unit: '',
      formula: '',
      width: 1,
      texts: Uint32Array.from(given, idOf),
    };
  });
  const [first] = Object.values(columns);
  const rows = Array.isArray(first) ? first.length : (first?.values.length ?? 0);
  return new Table({ question, rows, columns: made, strings, notes: {} });
}
