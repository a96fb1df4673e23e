/** Pictures made pixel by pixel: nothing that is one sample wide disappears, whatever the zoom. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paintBox } from '../../web/plot/boxPixels';
import { barAt, ganttOf, paintGantt } from '../../web/plot/gantt';
import { type Across, levelsOf, paintHeat } from '../../web/plot/heat';

describe('a heat map', () => {
  const matrix = (values: number[], rows: number) => ({
    values: Float64Array.from(values),
    rows,
    bins: values.length / rows,
    begin: 0,
    end: values.length / rows,
  });

  /** The levels that the columns show, with a scale that is the level itself; 0 = nothing known. */
  const shown = (
    heat: Parameters<typeof paintHeat>[0],
    begin: number,
    end: number,
    columns: number,
    across: Across,
  ) => {
    const pixels = new Uint32Array(heat.rows * columns);
    paintHeat(
      heat,
      begin,
      end,
      columns,
      across,
      Uint32Array.from({ length: 256 }, (_, level) => level),
      pixels,
    );
    return [...pixels];
  };

  it('has a step for each value, none for what is not known', () => {
    expect([...levelsOf(matrix([0, 127, 254, 999, Number.NaN, -1], 1), 254).levels]).toEqual([
      1, 128, 255, 255, 0, 1,
    ]);
  });

  it('shows the largest, smallest or mean of the bins in a column', () => {
    const four = levelsOf(matrix([1, 9, 2, 4], 1), 254);
    expect(shown(four, 0, 4, 2, 'max')).toEqual([10, 5]);
    expect(shown(four, 0, 4, 2, 'min')).toEqual([2, 3]);
    expect(shown(four, 0, 4, 2, 'mean')).toEqual([6, 4]);
    expect(shown(four, 1, 3, 4, 'mean')).toEqual([10, 10, 3, 3]);
    expect(shown(four, -2, 6, 4, 'max')).toEqual([0, 10, 5, 0]);
  });

  it('never loses the largest bin, however many share a column', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        (bins, columns, at) => {
          const values = Array.from({ length: bins }, (_, bin) => (bin === at % bins ? 1 : 0));
          expect(Math.max(...shown(levelsOf(matrix(values, 1), 1), 0, bins, columns, 'max'))).toBe(
            255,
          );
        },
      ),
    );
  });
});

describe('bars on lanes', () => {
  const gantt = ganttOf([0, 1, 0, Number.NaN, 0], [5, 0, 0, 1, 6], [6, 10, 2, 2, 6.001]);
  const paint = (begin: number, end: number, width: number, bars = gantt) => {
    const pixels = new Uint32Array(2 * width);
    const frame = {
      begin,
      end,
      width,
      height: 2,
      gap: 0,
      ground: 9,
      colourOf: (row: number) => row + 1,
    };
    paintGantt(bars, frame, pixels);
    return [...pixels];
  };

  it('are drawn where they are, on their lane', () => {
    expect(paint(0, 10, 10)).toEqual([
      3,
      3,
      9,
      9,
      9,
      1,
      5,
      9,
      9,
      9,
      ...Array.from({ length: 9 }, () => 2),
      9,
    ]);
  });

  it('are a pixel apart, also where one ends within the pixel in which the next begins', () => {
    const bars = ganttOf([0, 0], [0, 5.5], [5.5, 12], 2);
    expect(paint(0, 12, 12, bars).slice(0, 12)).toEqual([1, 1, 1, 1, 9, 2, 2, 2, 2, 2, 2, 9]);
  });

  it('begin before what is visible and still reach into it', () => {
    expect(paint(1, 2, 2)).toEqual([3, 3, 2, 2]);
    expect(paint(8, 9, 1)).toEqual([9, 2]);
  });

  it('share a pixel, which the longest colours', () => {
    expect(paint(0, 100, 1)).toEqual([3, 2]);
  });

  it('are found by a point, or near one', () => {
    expect(barAt(gantt, 0, 1, 0)).toBe(2);
    expect(barAt(gantt, 1, 9, 0)).toBe(1);
    expect(barAt(gantt, 0, 3, 0.5)).toBe(-1);
    expect(barAt(gantt, 0, 2.4, 0.5)).toBe(2);
    expect(barAt(gantt, 2, 1, 9)).toBe(-1);
  });

  it('are all found, whatever their order', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 1000 }), fc.integer({ min: 1, max: 20 })),
          {
            minLength: 1,
          },
        ),
        (bars) => {
          const lanes = bars.map(([lane]) => lane);
          const begins = bars.map(([, begin]) => begin);
          const ends = bars.map(([, begin, length]) => begin + length);
          const all = ganttOf(lanes, begins, ends);
          bars.forEach(([lane, begin, length]) => {
            const found = barAt(all, lane, begin + length / 2, 0);
            expect(lanes[found]).toBe(lane);
            expect(begins[found]).toBeLessThanOrEqual(begin + length / 2);
            expect(ends[found]).toBeGreaterThanOrEqual(begin + length / 2);
          });
        },
      ),
    );
  });
});

describe('rows of boxes', () => {
  const [red, blue] = [0xff0000ff, 0xffff0000];
  /** two rows of four pixels */
  const painted = (
    ...boxes: [row: number, pixel: number, alpha: number, left: number, right: number][]
  ) => {
    const pixels = new Uint32Array(8);
    for (const box of boxes) paintBox(pixels, 4, ...box);
    return Array.from(pixels, (pixel) => pixel.toString(16));
  };

  it('give a pixel that a box covers in part that part of its colour', () => {
    // half of the first, all of the second, a fifth of the third: of 255
    expect(painted([1, red, 1, 0.5, 2.2])).toEqual([
      '0',
      '0',
      '0',
      '0',
      '800000ff',
      'ff0000ff',
      '330000ff',
      '0',
    ]);
  });

  it('mix what shares a pixel, and dim what is to be dim', () => {
    const [first, second] = painted(
      [0, red, 1, 0, 0.5],
      [0, blue, 1, 0.5, 1],
      [0, blue, 0.2, 1, 4],
    );
    expect([first, second]).toEqual(['ff7f0080', '33ff0000']);
  });

  it('leave out what lies outside', () => {
    const row = painted([0, red, 1, -3, 1], [0, red, 1, 3, 9], [0, red, 1, 5, 9]);
    expect(row).toEqual(['ff0000ff', '0', '0', 'ff0000ff', '0', '0', '0', '0']);
  });
});
