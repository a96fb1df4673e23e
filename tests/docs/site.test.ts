/** dist/docs as a visitor's browser gets it; a dead link between pages has already ended its build. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sidebar } from '../../docs/.vitepress/config.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const site = join(root, 'dist/docs');
const base = '/docs/';
const pages = readdirSync(site).filter((name) => name.endsWith('.html') && name !== '404.html');
const read = (page: string) => readFileSync(join(site, page), 'utf8');
const addresses = (html: string) =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address);

it('has a page for each entry at its side, and the first', () => {
  const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.html`));
  expect(pages.toSorted()).toEqual([...listed, 'index.html'].toSorted());
});

it.each(pages)('%s leads to what exists', (page) => {
  for (const address of addresses(read(page))) {
    if (/^[a-z]+:/.test(address) || address === '../') continue;
    const [path = '', heading] = address.split('#');
    const file = path.startsWith(base)
      ? path.slice(base.length) || 'index.html'
      : join(dirname(page), path || page);
    expect(existsSync(join(site, file)), address).toBe(true);
    if (heading) expect(read(file), address).toContain(`id="${decodeURIComponent(heading)}"`);
  }
});

it.each(pages)('%s fetches nothing from elsewhere', (page) => {
  const fetched = [...read(page).matchAll(/<(?:script|link|img|iframe)\b[^>]*>/g)]
    .flatMap(([tag]) => addresses(tag))
    .filter((address) => /^(https?:)?\/\//.test(address));
  expect(fetched).toEqual([]);
});

it('is made of what THIRD_PARTY.md names', () => {
  const [listed = ''] = readFileSync(join(root, 'THIRD_PARTY.md'), 'utf8').split('\n## ');
  const packages: string[] = JSON.parse(
    readFileSync(join(root, 'build/docs-packages.json'), 'utf8'),
  );
  expect(packages).toContain('vue');
  for (const name of packages)
    expect(listed.toLowerCase(), name).toContain(name.replace(/^@(\w+)\/.*/, '$1'));
});

it('finds words of a page', () => {
  const index = readdirSync(join(site, 'assets/chunks')).find((name) =>
    name.startsWith('@localSearchIndex'),
  );
  expect(index && readFileSync(join(site, 'assets/chunks', index), 'utf8')).toContain('core-time');
});
