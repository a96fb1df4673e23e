import type { ComponentChild, VNode } from 'preact';
import { expect, it } from 'vitest';
import { Bin, Histogram } from '../../web/plot/Histogram';

/** What is read of a drawn part. */
function textOf(node: ComponentChild): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node === 'object' && node !== null)
    return textOf((node as VNode).props.children as ComponentChild);
  return typeof node === 'string' || typeof node === 'number' ? String(node) : '';
}

it('a bin of a histogram tells thousands apart, as all numbers do', () => {
  const series = ['ttbar', 'qcd'].map((id, at) => ({
    id,
    label: id,
    colour: '',
    counts: [[12_000], [345]][at] ?? [],
  }));
  const bin = {
    lo: [1],
    hi: [2],
    text: (value: number) => `${value} s`,
    series,
    bin: 0,
    total: 12_345,
  };
  const said = textOf(Bin(bin as unknown as Parameters<typeof Bin>[0]));
  expect(said.replace(/\s/g, ' ')).toBe('1 s – 2 s: 12,345ttbar: 12,000qcd: 345');
});

it('one value alone is said with how many have it', () => {
  const said = (lo: number[], count: number) =>
    textOf(
      Histogram({
        lo,
        hi: lo,
        count,
        // bins of 100 datasets are as many series: the answer knows the sum
        series: [],
        text: (value: number) => `${value} s`,
        yTitle: 'chunks',
        height: 10,
      } as unknown as Parameters<typeof Histogram>[0]),
    );
  expect(said([2], 12_345)).toBe('2 s in 12,345 chunks');
  expect(said([2], 1)).toBe('2 s in 1 chunk');
  expect(said([], 0)).toBe('');
});
