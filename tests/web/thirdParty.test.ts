/** THIRD_PARTY.md names every work that what is published contains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const listed = read('THIRD_PARTY.md').split('\n## ')[0]?.toLowerCase() ?? '';

interface Locked {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}

/** The packages that the page is bundled of: those of package.json, and what these need. */
function bundled(): string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as Locked;
  const found = new Set<string>();
  const wanted = Object.keys(packages['']?.dependencies ?? {});
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    wanted.push(...Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}));
  }
  return [...found].sort();
}

it.each(bundled())('names %s, which the page contains', (name) => {
  if (name.startsWith('d3-')) expect(listed).toMatch(new RegExp(`d3.*[ ,]${name.slice(3)}\\b`));
  else expect(listed).toContain(name.split('/')[0]?.replace('@', ''));
});

/** Libraries of C++ as cmake/dependencies.json calls them, without the one that tests alone use; nanobind contains robin-map. */
const compiled = [
  ...Object.keys(JSON.parse(read('cmake/dependencies.json')).libraries).filter(
    (name) => name !== 'catch2',
  ),
  'nanobind',
  'robin-map',
];
const works: Record<string, string> = { nlohmann_json: 'JSON for Modern C++' };

it.each(compiled)('names %s, which is compiled into what is published', (name) => {
  expect(listed).toContain((works[name] ?? name).toLowerCase());
});
