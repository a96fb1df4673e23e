import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTicks, roundedUp } from '../../web/plot/scales';
import { isWhole, panned, type Range, shared, within, zoomed } from '../../web/plot/timeAxis';

const extent: Range = [0, 100];

describe('moving', () => {
  it('keeps the place under the pointer when it zooms', () => {
    const [begin, end] = zoomed([20, 60], extent, 30, 2);
    expect(end - begin).toBeCloseTo(20);
    expect((30 - begin) / (end - begin)).toBeCloseTo(0.25);
  });

  it('ends at the edges', () => {
    expect(panned([20, 60], extent, 100)).toEqual([60, 100]);
    expect(panned([20, 60], extent, -100)).toEqual([0, 40]);
    expect(zoomed([20, 60], extent, 30, 0.01)).toEqual([0, 100]);
    expect(isWhole(zoomed([20, 60], extent, 30, 0.01), extent)).toBe(true);
  });

  it('never leaves the axis', () => {
    const place = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(place, place, (a, b) => {
        const [begin, end] = within([Math.min(a, b), Math.max(a, b)], extent);
        expect(begin).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(100 + 1e-9);
        expect(end).toBeGreaterThan(begin);
      }),
    );
  });
});

describe('ticks', () => {
  it('are round and have one number of decimals', () => {
    expect(axisTicks(0, 1, 4).map((tick) => tick.label)).toEqual([
      '0.0',
      '0.2',
      '0.4',
      '0.6',
      '0.8',
      '1.0',
    ]);
    expect(axisTicks(0, 25000, 5).map((tick) => tick.label)[1]).toBe('5,000');
  });

  it('begin an axis at a round number above the data', () => {
    expect(roundedUp(4)).toBe(4);
    expect(roundedUp(173)).toBe(200);
    expect(roundedUp(0)).toBe(1);
  });
});

it('what a range shares with the axis is within both; it may be nothing', () => {
  expect(shared([20, 60], [0, 100])).toEqual([20, 60]);
  expect(shared([-20, 60], [0, 100])).toEqual([0, 60]);
  expect(shared([-20, 600], [0, 100])).toEqual([0, 100]);
  expect(shared([100, 600], [0, 100])).toBeUndefined();
});
