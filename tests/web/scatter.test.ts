import { describe, expect, it } from 'vitest';
import { stripsOf } from '../../web/domain/points';
import { Table } from '../../web/engine/table';
import { ringOf, setDot, setRect, stampOf } from '../../web/plot/dots';
import { indexPoints } from '../../web/plot/nearest';
import { rgbOf } from '../../web/plot/palette';
import { spread } from '../../web/plot/ScatterLines';
import { axisOf, scaleOf, ticksOf } from '../../web/plot/scales';
import { coloursIn } from '../../web/views/common/ChunkScatter';

describe('a value axis', () => {
  it('begins at zero where the values lie near it', () => {
    expect(axisOf([1, 9], false).lo).toBe(0);
    expect(axisOf([90, 100], false).lo).toBeCloseTo(89.7);
    expect(axisOf([Number.NaN, 5, Number.POSITIVE_INFINITY], false).hi).toBeGreaterThan(5);
  });

  it('does not blow up a difference of one event', () => {
    const { lo, hi } = axisOf([9_999, 10_000], false);
    expect(hi - lo).toBeCloseTo(100);
    expect((lo + hi) / 2).toBeCloseTo(9_999.5);
  });

  it('has places for values and values for places', () => {
    const log = scaleOf({ lo: 1, hi: 100, log: true }, 0, 200);
    expect(log(10)).toBeCloseTo(100);
    expect(log.invert(100)).toBeCloseTo(10);
    const upwards = scaleOf({ lo: -1, hi: 3, log: false }, 200, 0);
    expect(upwards(2)).toBe(50);
    expect(upwards.invert(upwards(2))).toBe(2);
  });

  it('has round ticks in the unit that is shown', () => {
    expect(
      ticksOf({ lo: 0, hi: 2000, log: false }, 300, 1e-3, 80).map((tick) => tick.label),
    ).toContain('1.0');
    expect(ticksOf({ lo: 1, hi: 1000, log: true }, 300, 1, 80).map((tick) => tick.label)).toEqual([
      '1',
      '10',
      '100',
      '1,000',
    ]);
  });
});

describe('the nearest point', () => {
  const x = Float32Array.from([10, 50, 52, Number.NaN]);
  const y = Float32Array.from([10, 50, 50, 50]);
  const index = indexPoints(x, y, 100, 100);

  it('is found within reach, over the cells’ borders', () => {
    expect(index.nearest(47.9, 50, 14)).toBe(1);
    expect(index.nearest(52.4, 50, 14)).toBe(2);
    expect(index.nearest(22, 10, 14)).toBe(0);
  });

  it('is none where none is near', () => {
    expect(index.nearest(90, 90, 14)).toBeUndefined();
  });
});

describe('labels at the ends of lines', () => {
  it('stand apart and inside', () => {
    const places = spread([100, 101, 102, 300], 310);
    const sorted = [...places].sort((a, b) => a - b);
    for (let i = 1; i < sorted.length; i += 1)
      expect((sorted[i] ?? 0) - (sorted[i - 1] ?? 0)).toBeGreaterThanOrEqual(26);
    expect(Math.max(...places)).toBeLessThanOrEqual(298);
  });
});

describe('dots', () => {
  const image = (width: number, height: number) =>
    ({ width, height, data: new Uint8ClampedArray(width * height * 4) }) as unknown as ImageData;

  it('cover the pixels around their middle and nothing beyond the edge', () => {
    const picture = image(5, 5);
    setDot(picture, 2, 2, stampOf(3), [200, 100, 0], 1);
    expect([...picture.data.subarray((2 * 5 + 2) * 4, (2 * 5 + 2) * 4 + 3)]).toEqual([200, 100, 0]);
    expect(picture.data[0]).toBe(0);
    setDot(picture, 0, 0, stampOf(3), [200, 100, 0], 1);
    expect(picture.data[0]).toBe(200);
  });

  it('can be rings: nothing in the middle, all of the line', () => {
    const { reach, cover } = ringOf(4, 2);
    const side = 2 * reach + 1;
    expect([...cover.subarray(reach * side, (reach + 1) * side)]).toEqual([
      0.5, 1, 0.5, 0, 0, 0, 0.5, 1, 0.5,
    ]);
  });

  it('have rectangles beside them, and colours from the style sheet', () => {
    const picture = image(3, 3);
    setRect(picture, 1, 1, 9, 9, 0xff030201);
    expect(picture.data[0]).toBe(0);
    expect([...picture.data.subarray(16, 20)]).toEqual([1, 2, 3, 255]);
    expect(rgbOf('#fff')).toEqual([255, 255, 255]);
    expect(rgbOf('#1b130a')).toEqual([27, 19, 10]);
  });
});

describe('chunks of about one size', () => {
  it('stand side by side by dataset, each at a place of its own', () => {
    const common = { unit: '', formula: '', width: 1 } as const;
    const numbers = (name: string, values: number[]) =>
      ({ ...common, name, type: 'number', numbers: Float64Array.from(values) }) as const;
    const table = new Table({
      question: 'chunks',
      rows: 3,
      columns: [
        numbers('chunk', [0, 1, 2]),
        { ...common, name: 'dataset', type: 'text', texts: Uint32Array.from([0, 1, 1]) },
        ...['duration', 'outlier', 'early'].map((name) => numbers(name, [1, 2, 3])),
      ],
      strings: ['a', 'b'],
      notes: {},
    });
    const { x, y } = stripsOf(table, 'duration', ['a', 'b'], () => '--c1');
    expect([...y]).toEqual([1, 2, 3]);
    expect([...x].map((place) => Math.round(place) + 0)).toEqual([0, 1, 1]);
    expect(x[1]).not.toBe(x[2]);
  });
});

it('a legend has the colours alone that some point has', () => {
  const points = {
    x: new Float64Array(3),
    y: new Float64Array(3),
    colours: ['--c1', '--c2', '--c3'],
    group: Uint8Array.of(2, 0, 2),
  };
  expect([...coloursIn(points)]).toEqual(['--c1', '--c3']);
});
