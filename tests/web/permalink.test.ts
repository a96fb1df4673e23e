import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreTimeSplits } from '../../web/state/coreTime';
import { flameColours, flameModes, leafChoices, plainFlame } from '../../web/state/flame';
import { dimensionsOfChange } from '../../web/state/pair';
import { holdsIn, type Permalink, parameters } from '../../web/state/parameters';
import { formatPermalink, parsePermalink } from '../../web/state/permalink';
import { themes } from '../../web/state/theme';
import { rowOrders } from '../../web/state/timelines';
import { tabOf, tabs, viewOf, views } from '../../web/state/view';
import { permalinkReference, pythonViews } from '../support/parameterDocs';
import fixtures from './permalinks.json';
import '../../web/views/views';

const newest = String(Math.max(...Object.keys(fixtures).map(Number)));

for (const [version, links] of Object.entries(fixtures)) {
  describe(`permalinks of version ${version}`, () => {
    for (const { hash, means } of links) {
      const meant = {
        ...means,
        ...('flame' in means && { flame: { ...plainFlame, ...means.flame } }),
      } as unknown as Permalink;
      it(`mean what they meant: ${hash.slice(0, 60)}`, () =>
        expect(parsePermalink(hash)).toEqual(meant));
      if (version === newest)
        it(`are written so: ${hash.slice(0, 60)}`, () => expect(formatPermalink(meant)).toBe(hash));
    }
  });
}

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const finite = fc
  .double({ noDefaultInfinity: true, noNaN: true })
  .map((value) => (value === 0 ? 0 : value));
const interval = fc.tuple(finite, finite).filter(([begin, end]) => begin < end);
const namesOf = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), {
  minLength: 1,
  maxLength: 3,
});
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const idOf = (list: readonly { id: string }[]) => fc.constantFrom(...list.map(({ id }) => id));
// as the state holds it: what says nothing is not there
const full = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

/** Every value that the state of the page can have, by parameter. */
const states: Record<string, fc.Arbitrary<unknown>> = {
  embed: fc.boolean(),
  urls: fc.array(name, { maxLength: 3 }),
  names: fc.array(name, { maxLength: 3 }),
  run: fc.nat(),
  view: fc.constantFrom(...[...tabs, ...views()].map(({ id }) => id)),
  selection: fc
    .record({
      time: maybe(interval),
      datasets: maybe(namesOf),
      files: maybe(namesOf),
      hosts: maybe(namesOf),
      workers: maybe(namesOf),
      prefixes: maybe(namesOf),
      ranges: maybe(
        fc.array(
          fc.record({
            column: fc.oneof(name, fc.constant('section:load')),
            lo: finite,
            hi: finite,
          }),
          {
            minLength: 1,
            maxLength: 2,
          },
        ),
      ),
    })
    .map(full),
  finding: fc.string(),
  processor: maybe(fc.string()),
  coreTimeSplit: fc.constantFrom(...coreTimeSplits),
  coreTimePart: fc.string(),
  coreTimeZoom: fc.string(),
  zoom: maybe(interval),
  pins: fc.array(finite, { maxLength: 2 }),
  folded: fc.dictionary(name, fc.boolean(), { maxKeys: 3, noNullPrototype: true }),
  chosenForms: fc.dictionary(name, fc.constantFrom('mean', 'heat', 'lines'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  rowOrder: fc.constantFrom(...rowOrders),
  barColour: fc.constantFrom('dataset', 'host', 'rate', 'file'),
  barKind: maybe(fc.constantFrom('chunks', 'stack', 'tasks')),
  wallClock: fc.boolean(),
  sides: maybe(
    fc
      .uniqueArray(fc.nat(9), { minLength: 2 })
      .chain((all) =>
        fc
          .integer({ min: 1, max: all.length - 1 })
          .map((of) => [all.slice(0, of), all.slice(of)] as const),
      ),
  ),
  per: fc.constantFrom('absolute', 'million_events', 'share'),
  changeBy: maybe(fc.constantFrom(...dimensionsOfChange)),
  diffWidth: fc.constantFrom('a', 'both', 'b'),
  target: maybe(finite.filter((value) => value > 0)),
  flame: fc
    .record({
      profile: fc.string(),
      mode: idOf(flameModes),
      leaves: idOf(leafChoices),
      steps: fc.array(fc.string(), { maxLength: 3 }),
      opened: fc.array(fc.string()),
      section: fc.string(),
      chunk: fc.string(),
      colour: idOf(flameColours),
      search: fc.string(),
      regex: fc.boolean(),
      zoom: fc
        .tuple(
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.double({ min: 0, max: 1, noNaN: true }),
        )
        .filter(([begin, end]) => begin < end),
      focus: fc.string(),
      selected: fc.string(),
    })
    .map(({ zoom: [begin, end], ...rest }) => ({ ...rest, begin, end })),
  annotations: fc.array(
    fc.record({ text: fc.string(), place: fc.constantFrom('', '#v=2&view=flame&part=a%20b') }),
    { maxLength: 3 },
  ),
  theme: maybe(fc.constantFrom(...themes)),
};

describe('permalinks', () => {
  it('ignore what they cannot mean', () => {
    expect(
      parsePermalink('#v=2&view=nowhere&select=9:1&run=-1&range=duration:1&theme=red'),
    ).toEqual({});
    expect(parsePermalink('#v=1&view=nowhere&t=9~1&s=%7B')).toEqual({});
    expect(parsePermalink('#v=two&view=flame')).toEqual({});
    expect(parsePermalink('#embed')).toEqual({ embed: true });
    expect(parsePermalink('')).toEqual({});
  });

  it.each([
    ['chunks', 'Data', 'Compute'],
    ['access', 'Data', 'Read'],
    ['workers', 'Timelines', 'Timelines'],
    ['compare', 'Runs', 'Before and after'],
    ['scaling', 'Runs', 'Scaling'],
    ['history', 'Runs', 'History'],
    ['notes', 'Recording', 'Recording'],
  ])('of the former tab %s open %s, %s', (former, tab, title) => {
    for (const hash of [`#v=1&view=${former}`, `#v=2&view=${former}`, `#view=${former}`]) {
      const { view } = parsePermalink(hash);
      expect(view && [tabOf(view).title, viewOf(view).title]).toEqual([tab, title]);
    }
  });

  it('may be written by hand, without a version', () => {
    expect(parsePermalink('#url=a.zip&view=chunks&select=10:60&dataset=ttbar')).toEqual({
      urls: ['a.zip'],
      view: 'compute',
      selection: { time: [10, 60], datasets: ['ttbar'] },
    });
  });

  it('of a later version open their runs and nothing else', () => {
    expect(parsePermalink('#v=3&url=a.zip&view=flame&embed')).toEqual({
      urls: ['a.zip'],
      embed: true,
    });
  });

  it('come back as they went, whatever the state', () => {
    fc.assert(
      fc.property(fc.record(states), (generated) => {
        const state = generated as Permalink;
        const said = parsePermalink(formatPermalink(state));
        for (const { id, parameter, views: where } of parameters()) {
          if (holdsIn(where, state.view))
            expect(said[id] ?? parameter.initial, id).toEqual(state[id]);
          else expect(said[id], id).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('know of every state of a parameter by itself', () => {
    expect(Object.keys(states).sort()).toEqual(
      parameters()
        .map(({ id }) => id)
        .sort(),
    );
    for (const { id, parameter, views: [view = 'summary'] = [] } of parameters()) {
      fc.assert(
        fc.property(states[id] ?? fc.constant(undefined), (value) => {
          const link = { view, [id]: value } as Permalink;
          expect(parsePermalink(formatPermalink(link))[id] ?? parameter.initial, id).toEqual(value);
        }),
      );
    }
  });

  it('hold half a surrogate pair as well as an address can', () => {
    expect(formatPermalink({ processor: 'a\ud800' })).toBe('#v=2&processor=a%EF%BF%BD');
  });

  it('are described in docs/links.md, which vitest -u writes anew', async () => {
    const page = `# Links

Every address that the page shows is a link to what is on screen; the same can be written by hand, behind \`#\`, with \`&\` between
the parts: \`index.html#url=run.zip&view=compute&select=10:60&dataset=ttbar\`. A link without \`v\` is read as any form so far. What a
link to a view does not say is there as at first. \`crema.show(link=…)\` and reports take the same text.

${permalinkReference()}
`;
    await expect(page).toMatchFileSnapshot('../../docs/links.md');
  });

  it('name views as Python does', async () => {
    await expect(pythonViews()).toMatchFileSnapshot('../../python/cremascope/views.py');
  });
});
