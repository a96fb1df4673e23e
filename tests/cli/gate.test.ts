/** The workflow that the documentation offers as a gate does what it says. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const workflow = readFileSync(at('docs/gate-example.yml'), 'utf8');
const rules = Array.from(workflow.matchAll(/--rule '([^']*)'/g), ([, rule]) => rule ?? '');

const check = (baseline: string, candidate: string) =>
  crema([
    'check',
    pathOf(baseline),
    pathOf(candidate),
    ...rules.flatMap((rule) => ['--rule', rule]),
  ]);

it('the gate of the example fails a run that has become slower, and says by which rule', () => {
  expect(rules).toHaveLength(3);
  const slower = check('ab-before', 'ab-after');
  expect(slower.status).toBe(1);
  expect(slower.stdout).toMatch(/\*\*broken\*\* \| event\\_rate\\_core\\_khz >= 0\.9x/);
  expect(slower.stdout).toMatch(/kept \| lost\\_chunks/);
});

it('the gate of the example lets a run pass that is as fast as before', () => {
  expect(check('ab-before', 'ab-before').status).toBe(0);
});
