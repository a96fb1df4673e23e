import { describe, expect, it } from 'vitest';
import {
  ancestry,
  boxAt,
  childrenOf,
  type IcicleBoxes,
  indexIcicle,
  visibleBoxes,
} from '../../web/plot/icicleLayout';

/** A tree as text: one letter per box and tenth of the width, one line per depth, '.' = nothing. */
function drawn(...lines: string[]): { boxes: IcicleBoxes; names: string[] } {
  const names: string[] = [];
  const depth: number[] = [];
  const begin: number[] = [];
  const end: number[] = [];
  lines.forEach((line, row) => {
    for (const match of line.matchAll(/([a-z])\1*/g)) {
      names.push(match[0].charAt(0));
      depth.push(row);
      begin.push(match.index / line.length);
      end.push((match.index + match[0].length) / line.length);
    }
  });
  return { boxes: { depth, begin, end }, names };
}

const { boxes, names } = drawn(
  'aaaaaaaaaa', //
  'bbbbbbcccc',
  'ddd.eecff.',
  'gg......h.',
);
const index = indexIcicle(boxes);
const name = (box: number) => names[box] ?? '';

describe('index', () => {
  it('finds the box above each', () => {
    const parents = names.map((_, box) => name(index.parent[box] ?? -1)).join('');
    expect(parents).toBe('aabbccdf');
    expect(index.parent[0]).toBe(-1);
    expect(index.rows).toBe(4);
  });

  it('does not depend on the order of the boxes', () => {
    const order = names.map((_, box) => box).reverse();
    const pick = (values: ArrayLike<number>) => order.map((box) => values[box] ?? 0);
    const shuffled = indexIcicle({
      depth: pick(boxes.depth),
      begin: pick(boxes.begin),
      end: pick(boxes.end),
    });
    order.forEach((box, place) => {
      expect(order[shuffled.parent[place] ?? -1] ?? -1).toBe(index.parent[box]);
    });
  });

  it('walks up and down', () => {
    expect(ancestry(index, names.indexOf('g')).map(name).join('')).toBe('gdba');
    expect(childrenOf(index, 0).map(name).join('')).toBe('bc');
  });
});

describe('picking', () => {
  it('finds the box under a place', () => {
    expect(name(boxAt(index, 1, 0.61))).toBe('c');
    expect(name(boxAt(index, 2, 0.05))).toBe('d');
    expect(boxAt(index, 2, 0.35)).toBe(-1);
    expect(boxAt(index, 9, 0.5)).toBe(-1);
  });
});

describe('drawing', () => {
  it('shows what lies in the window, in pixels', () => {
    const shown = visibleBoxes(index, 1, 0.5, 1, 100);
    expect(shown.map((item) => name(item.box))).toEqual(['b', 'c']);
    expect(shown[0]?.right).toBeCloseTo(20);
    expect(shown[1]?.right).toBeCloseTo(100);
  });

  it('merges what is narrower than half a pixel into runs, and loses nothing wider', () => {
    const count = 100_000;
    const begin = Float64Array.from({ length: count }, (_, i) => i / count);
    const end = Float64Array.from({ length: count }, (_, i) => (i + 1) / count);
    // one box in the middle is a hundred times as wide
    const wide = 50_000;
    for (let i = wide + 1; i < wide + 100; i += 1) {
      begin[i] = 2;
      end[i] = 2;
    }
    end[wide] = (wide + 100) / count;
    const many = indexIcicle({ depth: new Uint8Array(count), begin, end });
    const shown = visibleBoxes(many, 0, 0, 1, 1000);
    expect(shown.length).toBeLessThan(10);
    expect(shown.some((item) => item.box === wide)).toBe(true);
    const covered = shown.reduce((sum, item) => sum + item.right - item.left, 0);
    expect(covered).toBeGreaterThan(995);
  });
});
