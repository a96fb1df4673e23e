import { rowsOf, type Table } from '../engine/table';

/** What to ask a file for at once, as Python: branches of all datasets, then those of some. */
export interface Preload {
  text: string;
  /** branches that each chunk of some dataset read */
  branches: number;
}

const list = (names: readonly string[]): string =>
  `[\n${names.map((name) => `    ${JSON.stringify(name)},\n`).join('')}]`;

/** From the answer of `branches`; a branch that only some chunks of a dataset read is in no list. */
export function preloadOf(table: Table<'branches'>): Preload {
  const datasets = Number(table.notes.datasets);
  const byDatasets = new Map<string, string[]>();
  for (const { branch, always_in } of rowsOf(table)) {
    if (always_in) byDatasets.set(always_in, [...(byDatasets.get(always_in) ?? []), branch]);
  }
  const isAll = (names: string) => names.split(', ').length >= datasets;
  const common = [...byDatasets].filter(([names]) => isAll(names)).flatMap(([, of]) => of);
  const some = [...byDatasets].filter(([names]) => !isAll(names));
  const lines = [
    `preload = ${list(common)}`,
    ...some.map(
      ([names, of]) =>
        `if dataset in ${JSON.stringify(names.split(', '))}:\n    preload += ${list(of).replaceAll('\n', '\n    ')}`,
    ),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    branches: common.length + some.reduce((sum, [, of]) => sum + of.length, 0),
  };
}
