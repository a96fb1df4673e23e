/** What `crema summary` says first: the top causes, and the analysis's own functions. */
import { expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const part = (text: string, title: string): string[] =>
  text
    .split('\n\n')
    .find((block) => block.trimStart().startsWith(`${title}\n`))
    ?.trim()
    .split('\n')
    .slice(1) ?? [];

it('three findings, and where the others are', () => {
  const findings = part(crema(['summary', pathOf('taskvine-recorded')]).stdout, 'Findings');
  expect(findings.filter((line) => /^ {2}(low|medium|high): /.test(line))).toHaveLength(3);
  const more = findings.findIndex((line) => /^ {2}\d+ more: crema ask BUNDLE findings$/.test(line));
  expect(more).toBeGreaterThan(0);
  expect(findings.slice(more + 1).join(' ')).toMatch(
    /^ {2}cannot be seen in this recording: workers/,
  );
});

it('what to set otherwise, as Python that stands alone', () => {
  const code = part(crema(['summary', pathOf('local-4x1')]).stdout, 'To paste');
  expect(code).toContain('  client = Client(n_workers=2, threads_per_worker=1)');
  for (const line of code) expect(line).toMatch(/^ {2}(# |client = |runner\.|for name in )/);
});

it('own functions with what twice as fast ones would save', () => {
  const functions = part(crema(['summary', pathOf('local-4x1')]).stdout, 'Own functions');
  expect(functions.length).toBeGreaterThan(0);
  for (const line of functions) expect(line).toMatch(/^ {2}\S+ {2}\S+ core-s/);
});

it('of a profile alone its functions, and no list of what is missing', () => {
  const { stdout } = crema(['summary', pathOf('local-4x1', 'dask_profiles.json.gz')]);
  const functions = part(stdout, 'Own functions');
  expect(functions[0]).toMatch(/^ {2}\S+ {2}[\d.]+ % of the samples$/);
  expect(part(stdout, 'Throughput')).toEqual(['  not recorded']);
  const explained = crema(['summary', '--explain', pathOf('local-4x1', 'dask_profiles.json.gz')]);
  expect(part(explained.stdout, 'Throughput').length).toBeGreaterThan(4);
});
