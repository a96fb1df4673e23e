/** docs/metrics.md and docs/questions.md are what the program says: `npm run metrics` writes both. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { contractPage } from '../../scripts/contract.mjs';
import { metricsPage } from '../../scripts/metrics.mjs';

const written = (page = 'metrics') =>
  readFile(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');

it('is up to date', async () => {
  expect(metricsPage()).toBe(await written());
  expect(contractPage()).toBe(await written('questions'));
});

it('has a sentence about every question, and a formula of every headline number', async () => {
  const page = await written();
  for (const [, name, sentence] of page.matchAll(/^### (\w+)\n\n(.*)$/gm)) {
    if (!sentence?.startsWith('|')) expect(sentence, name).toMatch(/^[A-Z].+\./);
  }
  const [headlines = ''] = page.split('## Core-time').slice(0, 1);
  const rows = headlines.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  expect(rows.length).toBeGreaterThanOrEqual(69);
  for (const row of rows) expect(row.split(' | ').at(-1), row).toMatch(/\w.* \|$/);
});
