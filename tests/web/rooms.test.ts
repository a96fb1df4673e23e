/** The shape of the page's source: no circles of imports, nothing above, one listener to keys. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const web = fileURLToPath(new URL('../../web', import.meta.url));
const sources = new Map(
  readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(web, name), 'utf8')]),
);

/** What a file imports of the page, types too. */
function importsOf(file: string): string[] {
  const found = sources.get(file)?.matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'/gm) ?? [];
  const paths = Array.from(found, ([, path = '']) =>
    normalize(join(dirname(file), path)).replaceAll('\\', '/'),
  );
  return paths.flatMap((path) => [`${path}.ts`, `${path}.tsx`].filter((name) => sources.has(name)));
}

it('imports go in no circle', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file) || way.includes(file)) return;
    for (const next of importsOf(file)) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

it('the kit knows nothing but itself', () => {
  const kit = [...sources.keys()].filter((name) => name.startsWith('ui/'));
  expect(kit.length).toBeGreaterThan(5);
  expect(kit.flatMap(importsOf).filter((name) => !name.startsWith('ui/'))).toEqual([]);
});

it('keys are heard by the dispatcher alone', () => {
  const listening = [...sources]
    .filter(([, text]) => /addEventListener\(\s*'key/.test(text))
    .map(([name]) => name);
  expect(listening).toEqual(['ui/keys.ts']);
  const handlers = [...sources].flatMap(([name, text]) =>
    Array.from(
      text.matchAll(/onKey(?:Down|Up|Press)=\{([^}\n]*)/g),
      ([, handler]) => `${name}: ${handler}`,
    ),
  );
  const through = /ownKeys\(|: keys$|rowKeys\(/;
  expect(handlers.filter((one) => !through.test(one))).toEqual([]);
});
