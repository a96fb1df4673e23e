import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPermalink, type Permalink, parsePermalink } from '../../web/state/permalink';

describe('permalinks', () => {
  it('say where one is', () => {
    const link = {
      urls: ['samples/local-4x1.zip'],
      view: 'timelines',
      selection: { time: [10.5, 30.25] },
      run: 2,
      embed: false,
    } satisfies Permalink;
    const hash = formatPermalink(link);
    expect(hash).toBe('#v=1&url=samples%2Flocal-4x1.zip&run=2&view=timelines&t=10.5~30.25');
    expect(parsePermalink(hash)).toEqual(link);
  });

  it('say which task prefix counts as the processor', () => {
    const hash = formatPermalink({ urls: [], view: 'fine', processor: 'my processor', embed: false });
    expect(hash).toBe('#v=1&view=fine&p=my%20processor');
    expect(parsePermalink(hash).processor).toBe('my processor');
  });

  it('may name several runs', () => {
    expect(parsePermalink('#url=a.zip&url=b.zip').urls).toEqual(['a.zip', 'b.zip']);
  });

  it('ignore what they cannot mean', () => {
    expect(parsePermalink('#v=1&view=nowhere&t=9~1&run=-1')).toEqual({ urls: [], embed: false });
    expect(parsePermalink('#embed')).toEqual({ urls: [], embed: true });
    expect(parsePermalink('')).toEqual({ urls: [], embed: false });
  });

  it('of a later version open their runs and nothing else', () => {
    expect(parsePermalink('#v=2&url=a.zip&view=flame')).toEqual({ urls: ['a.zip'], embed: false });
  });

  it('come back as they went, whatever the address', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }), (urls) => {
        expect(parsePermalink(formatPermalink({ urls, embed: false })).urls).toEqual(urls);
      }),
    );
  });
});
