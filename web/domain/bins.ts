import type { Table } from '../engine/table';
import type { HistogramMark, HistogramSeries } from '../plot/Histogram';

/** What is marked in a distribution, and the dashes of its line. */
export const styles = [
  { label: 'median', dash: '' },
  { label: 'mean', dash: '5 3' },
  { label: 'p95', dash: '2 3' },
] as const;

export type MarkLabel = (typeof styles)[number]['label'] | 'max';

/** The marked values of an answer to a question about a distribution, or those `shown`. */
export function marksOf(table: Table, shown?: readonly MarkLabel[]): HistogramMark[] {
  return styles
    .filter(({ label }) => shown?.includes(label) ?? true)
    .map(({ label, dash }) => ({ label, dash, value: Number(table.notes[label] ?? Number.NaN) }));
}

/** Rows of dataset x bin as stacked series over one set of bins. */
export function binsOf(table: Table, colourOf: (name: string) => string) {
  const lo = table.numbers('lo');
  const hi = table.numbers('hi');
  const counts = table.numbers('count');
  const series = new Map<string, HistogramSeries>();
  let bins = 0;
  while (bins < table.rows && table.text('dataset', bins) === table.text('dataset', 0)) bins += 1;
  for (let begin = 0; begin < table.rows; begin += bins) {
    const name = table.text('dataset', begin) ?? 'no dataset';
    series.set(name, {
      id: name,
      label: name,
      colour: colourOf(table.text('dataset', begin) ?? ''),
      counts: counts.subarray(begin, begin + bins),
    });
  }
  return { lo: lo.subarray(0, bins), hi: hi.subarray(0, bins), series: [...series.values()] };
}
