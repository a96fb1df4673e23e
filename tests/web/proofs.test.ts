/** The pictures that prove a finding, from answers made for them. */
import { expect, it } from 'vitest';
import type { Finding } from '../../web/state/finding';
import { areApart, barsOf } from '../../web/views/summary/ProofPanel';
import { type BarsProof, proofsOf } from '../../web/views/summary/proofs';
import { table } from '../support/madeTable';
import '../../web/views/views';

const barsProof = (id: string, place = 0) => {
  const proof = proofsOf({ id, selection: {}, section: '', function: '' } as unknown as Finding)[
    place
  ];
  expect(proof?.mark).toBe('bars');
  return proof as BarsProof;
};

it('attempts that failed with one kind of error are one bar', () => {
  const failures = table('failures', {
    exception: ['OSError', 'ValueError', 'OSError'],
    attempts: { unit: 'count', values: [1, 2, 3] },
  });
  const bars = barsOf(failures, barsProof('failed-tasks'));
  expect(bars.map(({ names: [name], value, texts }) => [name, value, texts])).toEqual([
    ['OSError', 4, ['4']],
    ['ValueError', 2, ['2']],
  ]);
});

it('a slow worker has, beside its mean, the ratio that its headline tells', () => {
  const workers = table('workers', {
    worker: ['a', 'b'],
    seconds_per_event: { unit: 's', values: [1e-4, 2e-4] },
    times_others: { unit: '1', values: [Number.NaN, 2.34] },
  });
  const proof = barsProof('slow-worker');
  expect(barsOf(workers, proof).map(({ texts }) => texts)).toEqual([
    ['200\u2009µs', '× 2.34'],
    ['100\u2009µs', ''],
  ]);
  expect(proof.heads).toHaveLength(2);
});

it('CPU is evidence only where a worker had visibly more or less than the others', () => {
  expect(barsProof('slow-worker', 2)).toMatchObject({ value: 'cpu_mean', apart: true });
  const bars = (...values: number[]) =>
    values.map((value) => ({ id: '', names: [], value, texts: [] }));
  expect(areApart(bars(0.763), bars(0.762))).toBe(false);
  expect(areApart(bars(0.37), bars(0.81))).toBe(true);
  expect(areApart(bars(0.81), bars(0.3, 0.37))).toBe(true);
  expect(areApart(bars(0.5), bars(0.3, 0.8))).toBe(false);
  expect(areApart(bars(), bars(0.3, 0.8))).toBe(false);
});

it('a blocked scheduler shows how late it was, before the cores that idle', () => {
  const proofs = proofsOf({ id: 'blocked-scheduler', selection: {} } as unknown as Finding);
  expect(proofs.map(({ mark }) => mark)).toEqual(['moments', 'cores']);
});
