import { expect, it } from 'vitest';
import type { Table } from '../../web/engine/table';
import { shownFacts } from '../../web/views/access/AccessView';
import { table } from '../support/madeTable';

const access = (compression: number, branches: number, bytes: number) => {
  const share = (value: number) => ({ unit: '1', values: [Number.NaN, value] });
  return table('access', {
    compression_ratio: share(compression),
    branches_read_fraction: share(branches),
    bytes_read_fraction: share(bytes),
  }) as Table<'access'>;
};
const factsOf = (...of: Parameters<typeof access>) =>
  shownFacts(access(...of)).map(({ fact }) => fact);

it('facts of files that are not recorded have no empty card; of none one says so', () => {
  const not = Number.NaN;
  expect(factsOf(0.5, 0.1, 0.2)).toHaveLength(3);
  expect(factsOf(0.5, not, 0.2)).toEqual(['compression_ratio', 'bytes_read_fraction']);
  expect(factsOf(not, 0.1, not)).toEqual(['branches_read_fraction']);
  const [only, ...more] = shownFacts(access(not, not, not));
  expect([only?.title, more]).toEqual(['Compression, branches, bytes read', []]);
});
