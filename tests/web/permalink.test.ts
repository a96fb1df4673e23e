import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainFlame } from '../../web/state/flame';
import { formatPermalink, type Permalink, parsePermalink } from '../../web/state/permalink';
import fixtures from './permalinks.json';

const newest = String(Math.max(...Object.keys(fixtures).map(Number)));

for (const [version, links] of Object.entries(fixtures)) {
  describe(`permalinks of version ${version}`, () => {
    for (const { hash, means } of links) {
      const meant = {
        ...means,
        ...('flame' in means && { flame: { ...plainFlame, ...means.flame } }),
      } as unknown as Permalink;
      it(`mean what they meant: ${hash.slice(0, 60)}`, () => expect(parsePermalink(hash)).toEqual(meant));
      if (version === newest)
        it(`are written so: ${hash.slice(0, 60)}`, () => expect(formatPermalink(meant)).toBe(hash));
    }
  });
}

describe('permalinks', () => {
  it('ignore what they cannot mean', () => {
    const nothing = { urls: [], embed: false };
    expect(parsePermalink('#v=2&view=nowhere&select=9:1&run=-1&range=duration:1&theme=red')).toEqual(nothing);
    expect(parsePermalink('#v=1&view=nowhere&t=9~1&s=%7B')).toEqual(nothing);
    expect(parsePermalink('#v=two&view=flame')).toEqual(nothing);
    expect(parsePermalink('#embed')).toEqual({ urls: [], embed: true });
    expect(parsePermalink('')).toEqual(nothing);
  });

  it('may be written by hand, without a version', () => {
    expect(parsePermalink('#url=a.zip&view=chunks&select=10:60&dataset=ttbar')).toEqual({
      urls: ['a.zip'],
      view: 'chunks',
      selection: { time: [10, 60], datasets: ['ttbar'] },
      embed: false,
    });
  });

  it('of a later version open their runs and nothing else', () => {
    expect(parsePermalink('#v=3&url=a.zip&view=flame')).toEqual({ urls: ['a.zip'], embed: false });
  });

  it('come back as they went, whatever the names', () => {
    const names = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(names, names, (urls, datasets) => {
        const link = { urls, view: 'chunks', selection: { datasets }, embed: false } as const;
        expect(parsePermalink(formatPermalink(link))).toEqual(link);
      }),
    );
  });
});
