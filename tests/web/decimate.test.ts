import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimate } from '../../web/plot/decimate';
import { heldSamples, holes, intervals, valueAt } from '../../web/plot/steps';

const steps = (values: number[]) =>
  intervals(
    values.map((_, i) => i),
    values.map((_, i) => i + 1),
    values,
  );

describe('decimation', () => {
  it('keeps a spike of one step in a hundred thousand, at any width', () => {
    const values = new Array<number>(100_000).fill(1);
    values[77_777] = 500;
    for (const width of [1, 7, 300, 1100, 4000]) {
      const columns = decimate(steps(values), 0, values.length, width);
      expect(Math.max(...columns.max)).toBe(500);
      expect(Math.min(...columns.min)).toBe(1);
    }
  });

  it('has first, last, smallest and largest of each column', () => {
    const columns = decimate(steps([3, 1, 9, 4, 5, 5, 2, 8]), 0, 8, 2);
    expect([...columns.first]).toEqual([3, 5]);
    expect([...columns.last]).toEqual([4, 8]);
    expect([...columns.min]).toEqual([1, 2]);
    expect([...columns.max]).toEqual([9, 8]);
  });

  it('repeats a step in every column that it spans', () => {
    const columns = decimate(steps([2, 6]), 0, 2, 8);
    expect([...columns.first]).toEqual([2, 2, 2, 2, 6, 6, 6, 6]);
  });

  it('leaves gaps where nothing is known, before and behind the data', () => {
    const columns = decimate(steps([1, Number.NaN, 3]), -1, 4, 5);
    expect([...columns.max]).toEqual([Number.NaN, 1, Number.NaN, 3, Number.NaN]);
  });

  it('never shows what is not there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 50 }),
        (values, width) => {
          const { min, max, first, last } = decimate(steps(values), 0, values.length, width);
          expect(Math.max(...max)).toBe(Math.max(...values));
          expect(Math.min(...min)).toBe(Math.min(...values));
          expect(first[0]).toBe(values[0]);
          expect(last[width - 1]).toBe(values[values.length - 1]);
        },
      ),
    );
  });
});

describe('samples', () => {
  it('are held until the next, the last until the end', () => {
    const held = heldSamples([0, 1, 2], [5, 6, 7], 2.5);
    expect([...held.edges]).toEqual([0, 1, 2, 2.5]);
    expect(valueAt(held, 1.99)).toBe(6);
    expect(valueAt(held, 2.4)).toBe(7);
    expect(valueAt(held, -0.1)).toBeNaN();
    expect(valueAt(held, 2.6)).toBeNaN();
  });

  it('are unknown after three intervals of silence', () => {
    const held = heldSamples([0, 1, 2, 3, 9, 10], [1, 1, 1, 1, 1, 1], 11);
    expect(valueAt(held, 3.5)).toBe(1);
    expect(valueAt(held, 6)).toBeNaN();
    expect(holes(held)).toEqual([[4, 9]]);
  });

  it('may be none', () => {
    const held = heldSamples([], [], 10);
    expect(valueAt(held, 1)).toBeNaN();
    expect(decimate(held, 0, 10, 3).max).toEqual(new Float64Array(3).fill(Number.NaN));
  });
});
