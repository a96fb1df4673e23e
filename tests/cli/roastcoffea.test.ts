/** docs/roastcoffea.md: each plot of roastcoffea has a question that answers. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const page = readFileSync(
  fileURLToPath(new URL('../../docs/roastcoffea.md', import.meta.url)),
  'utf8',
);
const rows = Array.from(
  page.matchAll(/^\| `(plot_\w+)`.* \| `([^`]+)` \|$/gm),
  ([, plot = '', question = '']) => [plot, question] as const,
);

it('has all of its kinds', () => expect(rows).toHaveLength(18));

it.each(rows)('%s: %s', (_, question) => {
  const { stdout, status } = crema(['ask', pathOf('local-4x1'), ...question.split(' '), '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).rows).toBeGreaterThan(0);
});
