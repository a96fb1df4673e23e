import { describe, expect, it } from 'vitest';
import { missingText, Table } from '../../web/engine/table';
import { wantedOf } from '../../web/state/callTree';
import { flameLink, parseFlameLink, plainFlame } from '../../web/state/flame';
import { formatPermalink, parsePermalink } from '../../web/state/permalink';
import { flameBoxes, functionPattern, withMarks } from '../../web/views/common/flame/flameBoxes';
import { hashColour } from '../../web/views/common/flame/flameColours';
import { stepText } from '../../web/views/flame/TransformBar';
import { numberColumn, textColumn } from '../support/tables';
import '../../web/views/views';

describe('the part that is asked for', () => {
  it('is the whole until a good part of it is out of sight', () => {
    expect(wantedOf([0, 1], 1000)).toEqual({ begin: 0, end: 1, minFraction: 0.5 / 1024 });
    expect(wantedOf([0.1, 0.9], 1000).end).toBe(1);
  });

  it('holds what is visible at any zoom, and no more than five times as much', () => {
    for (let power = 1; power < 29; power += 1) {
      for (const place of [0, 0.1234567, 0.5, 0.77, 0.999999]) {
        const length = 0.69 * 2 ** -power;
        const begin = Math.min(place, 1 - length);
        const wanted = wantedOf([begin, begin + length], 1200);
        expect(wanted.begin).toBeLessThanOrEqual(begin);
        expect(wanted.end).toBeGreaterThanOrEqual(begin + length);
        expect(wanted.end - wanted.begin).toBeLessThanOrEqual(5 * length);
        // half a pixel of the visible part at most
        expect(wanted.minFraction / length).toBeLessThanOrEqual(0.5 / 1200);
      }
    }
  });

  it('stays the same while one pans a little', () => {
    expect(wantedOf([0.3, 0.31], 1000)).toEqual(wantedOf([0.3003, 0.3103], 1000));
  });
});

describe('boxes', () => {
  const words = ['all', 'process', 'a.py', '(in callees, unresolved)'];
  const boxes = flameBoxes(
    new Table({
      question: 'flame',
      rows: 4,
      strings: words,
      notes: { total: 10 },
      columns: [
        numberColumn('node', [0, 1, 3, Number.NaN]),
        numberColumn('depth', [0, 1, 2, 2]),
        numberColumn('x0', [0, 0, 0, 0.5]),
        numberColumn('x1', [1, 1, 0.5, 0.6]),
        numberColumn('path', [Number.NaN, 77, Number.NaN, Number.NaN]),
        numberColumn('line', [Number.NaN, 12, Number.NaN, Number.NaN]),
        numberColumn('more', [0, 0, 0, 5]),
        numberColumn('is_unresolved', [0, 0, 1, 0]),
        textColumn('frame', [0, 1, 3, missingText]),
        textColumn('file', [missingText, 2, missingText, missingText]),
      ],
    }),
  );

  it('are marked by an answer about them, and by no other', () => {
    const marks = (rows: number[], notes = {}) =>
      new Table({
        question: 'flame',
        rows: rows.length,
        strings: [],
        notes: { matched_total: 6, ...notes },
        columns: [numberColumn('matched', rows)],
      });
    const marked = withMarks(boxes, marks([0, 1, 0, 1]));
    expect([0, 1, 2, 3].filter((box) => marked.isMatch?.(box))).toEqual([1, 3]);
    expect(marked.table.notes).toEqual({ total: 10, matched_total: 6 });
    expect(marked.name(1)).toBe('process');
    expect(marked.unmarked).toBe(boxes);
    expect(boxes.isMatch).toBeUndefined();
    expect(withMarks(boxes, undefined)).toBe(boxes);
    expect(withMarks(boxes, marks([0, 1, 0]))).toBe(boxes);
    expect(withMarks(boxes, marks([0, 1, 0, 1], { begin: 0.25 }))).toBe(boxes);
  });

  it('have keys that hold from one answer to the next', () => {
    expect([0, 1, 2, 3].map(boxes.keyOf)).toEqual(['root', '77', 'u3', '']);
    expect(boxes.boxOf('77')).toBe(1);
    expect(boxes.boxOf('78')).toBe(-1);
    expect(boxes.boxOf('')).toBe(-1);
  });

  it('name their function as the core understands it', () => {
    expect(functionPattern(boxes, 1)).toBe('function=process@a.py:12');
  });
});

describe('permalink', () => {
  it('says only what is not plain', () => {
    expect(flameLink(plainFlame)).toBe('');
    expect(flameLink({ ...plainFlame, mode: 'tree' })).toBe('{"mode":"tree"}');
  });

  it('comes back as it was', () => {
    const state = {
      ...plainFlame,
      steps: ['fold:a\\;b', 'focus:/x|y/'],
      search: 'ä=b&c',
      begin: 0.25,
      end: 0.5,
    };
    expect(parseFlameLink(flameLink(state))).toEqual(state);
    const link = parsePermalink(
      formatPermalink({ urls: [], view: 'flame', flame: state, embed: false }),
    );
    expect(link.flame).toEqual(state);
  });

  it('takes nothing from what it cannot mean', () => {
    expect(parseFlameLink('nonsense')).toEqual(plainFlame);
    expect(parseFlameLink('{"mode":"x","begin":2,"end":1,"steps":"a","regex":1}')).toEqual(
      plainFlame,
    );
  });
});

describe('words and colours', () => {
  it('say steps for people', () => {
    expect(stepText('fold:numpy')).toBe('Fold numpy');
    expect(stepText('focus:function=process@a.py:12')).toBe('Focus process');
    expect(stepText('group:package')).toBe('By package');
    expect(stepText('recursion')).toBe('Recursion collapsed');
    const seconds = { total: 10, unit: 's', secondsPerSample: Number.NaN };
    expect(stepText('range:2.5~4', seconds)).toBe('Time 2.50\u2009s – 4.00\u2009s');
  });

  it('are the same for the same name, whatever the run', () => {
    expect(hashColour('awkward')).toBe(hashColour('awkward'));
    expect(
      new Set(['numpy', 'awkward', 'uproot', 'coffea', 'hist', 'dask'].map(hashColour)).size,
    ).toBeGreaterThan(3);
  });
});
