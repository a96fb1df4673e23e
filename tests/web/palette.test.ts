/**
 * The palette in the eyes of those who see fewer colours: protanopia, deuteranopia and tritanopia,
 * simulated in linear RGB with the matrices of Machado, Oliveira & Fernandes (IEEE TVCG 15, 2009;
 * severity 1). Distances are Euclidean in OKLab (Ottosson, 2020), times 100: 2 is just noticeable.
 * Marks that touch also have a gap between them, and a name on them or in a legend; frames of the
 * flame graph (--pk-*), of which there are ten, are further apart from each other than just noticeable.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const sights: Record<string, Matrix> = {
  'all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: Matrix, [a, b, c]: Triple): Triple => [
  matrix[0][0] * a + matrix[0][1] * b + matrix[0][2] * c,
  matrix[1][0] * a + matrix[1][1] * b + matrix[1][2] * c,
  matrix[2][0] * a + matrix[2][1] * b + matrix[2][2] * c,
];
const each = ([a, b, c]: Triple, change: (value: number) => number): Triple => [
  change(a),
  change(b),
  change(c),
];

function linear(hex: string): Triple {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
  const at = (place: number) => Number.parseInt(full.slice(place, place + 2), 16) / 255;
  return each([at(1), at(3), at(5)], (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
}

/** Lightness 0 … 100, and two axes of colour. */
function okLab(rgb: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    each(rgb, (value) => Math.min(1, Math.max(0, value))),
  );
  return each(
    times(
      [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
      ],
      each(cones, Math.cbrt),
    ),
    (value) => 100 * value,
  );
}

const seen = (hex: string, sight: string): Triple =>
  okLab(times(sights[sight] as Matrix, linear(hex)));

function distance(one: string, other: string, sight: string): number {
  const [a, b] = [seen(one, sight), seen(other, sight)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** WCAG's contrast ratio. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const [a, b] = [luminance(one), luminance(other)];
  return Math.max(a, b) / Math.min(a, b);
}

const style = readFileSync(
  fileURLToPath(new URL('../../web/styles/tokens.css', import.meta.url)),
  'utf8',
);
const themes = [0, 1].map((place) => {
  const tokens = new Map(
    [...style.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\);/g)].map(
      ([, name, ...hexes]) => [name, hexes[place]],
    ),
  );
  const of = (name: string): string => {
    const hex = tokens.get(name);
    if (!hex) throw new Error(`no colour --${name}`);
    return hex;
  };
  const family = (start: string) =>
    [...tokens.keys()].filter((name) => name?.startsWith(start)) as string[];
  return { theme: place === 0 ? 'light' : 'dark', of, family };
});

/** Pairs below `least`, worst sight named. */
function tooNear(names: readonly string[], of: (name: string) => string, least: number): string[] {
  const pairs = names.flatMap((one, place) =>
    names.slice(place + 1).map((other) => [one, other] as const),
  );
  return pairs.flatMap(([one, other]) =>
    Object.keys(sights).flatMap((sight) => {
      const found = distance(of(one), of(other), sight);
      return found < least ? [`${one} and ${other}, ${sight}: ${found.toFixed(1)}`] : [];
    }),
  );
}

it('is measured as published: greys look the same to everybody, red and green do not', () => {
  expect(distance('#000000', '#ffffff', 'all colours')).toBeCloseTo(100, 3);
  for (const sight of Object.keys(sights))
    expect(distance('#777777', '#999999', sight)).toBeCloseTo(
      distance('#777777', '#999999', 'all colours'),
      3,
    );
  const [red, green] = ['#b3261e', '#5d6b00'];
  expect(distance(red, green, 'all colours')).toBeGreaterThan(20);
  expect(distance(red, green, 'deuteranopia')).toBeLessThan(8);
  expect(distance(red, green, 'tritanopia')).toBeGreaterThan(20);
});

describe.each(themes)('in the $theme theme', ({ of, family }) => {
  const categories = family('c').filter((name) => /^c(\d|-rest)$/.test(name));
  const phases = ['ph-process', 'ph-outside', 'ph-tasks', 'ph-lost'];

  it.each([
    ['activities, of which any two can be neighbours', family('act-')],
    ['datasets, categories and the rest', categories],
    ['phases; what is idle is hatched', phases],
    ['both directions of a change, and none', ['div-less', 'div-equal', 'div-more']],
  ])('%s stay apart', (_, names) => {
    expect(names.length).toBeGreaterThan(2);
    expect(tooNear(names, of, 5.5)).toEqual([]);
  });

  it('datasets are neither blue nor orange: those are process(), and what is outside it', () => {
    const apart = categories.flatMap((name) =>
      ['ph-process', 'ph-outside'].flatMap((phase) => tooNear([name, phase], of, 5.5)),
    );
    expect(apart).toEqual([]);
  });

  it('the steps of amounts go one way in lightness', () => {
    for (const sight of Object.keys(sights)) {
      const levels = family('seq-').map((name) => seen(of(name), sight)[0]);
      const sign = Math.sign((levels[1] as number) - (levels[0] as number));
      for (const [place, level] of levels.slice(1).entries())
        expect(sign * (level - (levels[place] as number))).toBeGreaterThan(4);
    }
  });

  it('marks contrast with what they lie on, and words with the marks they stand on', () => {
    const solid = [...family('act-'), ...categories, ...phases];
    const faint = solid.filter((name) => contrast(of(name), of('surface')) < 3);
    expect(faint).toEqual([]);
    // white or near-black, whichever is better (web/plot/palette.ts)
    const unreadable = solid.filter(
      (name) => Math.max(contrast(of(name), '#ffffff'), contrast(of(name), '#1b130a')) < 4.5,
    );
    expect(unreadable).toEqual([]);
    expect(
      family('pk-').filter((name) => name !== 'pk-ink' && contrast(of(name), of('pk-ink')) < 4.5),
    ).toEqual([]);
  });
});
