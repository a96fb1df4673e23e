/** What `crema summary` says first: the top causes, and the analysis's own functions. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    /^ {2}cannot be seen in this recording: functions/,
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
  expect(stdout).not.toContain('Findings'); // they are about tasks and workers
  expect(part(stdout, 'Throughput')).toEqual([]);
  expect(stdout).toMatch(/^Not recorded: Throughput, Event processing, /m);
  const explained = crema(['summary', '--explain', pathOf('local-4x1', 'dask_profiles.json.gz')]);
  expect(part(explained.stdout, 'Throughput').length).toBeGreaterThan(4);
});

it.each([
  ['cprofile.prof.gz', 'pstats', '<genexpr>  47.1 % of the time'],
  ['memray.csv', 'memray table', 'fill  80.4 % of the memory'],
])('of %s what it is, and shares of what it measures', (file, format, function_) => {
  const { stdout } = crema(['summary', pathOf('tools', file)]);
  expect(stdout.split('\n')[0]).toMatch(new RegExp(`  ${format}$`));
  expect(part(stdout, 'Own functions')[0]).toBe(`  ${function_}`);
});

it('of a profile without a function of the analysis the innermost functions', () => {
  const { stdout } = crema(['summary', pathOf('tools', 'perf.txt')]);
  expect(part(stdout, 'Innermost functions')[0]).toMatch(
    /^ {2}_PyEval_EvalFrameDefault {2}\d+\.?\d* % of the time$/,
  );
});

it('begins with when it was recorded, and by what', () => {
  const [first] = crema(['summary', pathOf('ab-after')]).stdout.split('\n');
  expect(first).toBe('ab-after  recorded 2026-11-21 01:52  1 min 19.5 s  roastcoffea flat 0.1.x');
  const [logs] = crema(['summary', pathOf('taskvine')]).stdout.split('\n');
  expect(logs).toMatch(/ {2}performance log, transactions log$/);
  const [rows] = crema(['summary', pathOf('taskvine-recorded')]).stdout.split('\n');
  expect(rows).toBe('taskvine-recorded  38.6 s  crema.record');
});

it('evidence in the lines that the core gives it', () => {
  const bundle = pathOf('lab', 'slow-section.zip');
  const { columns } = JSON.parse(crema(['ask', bundle, 'findings', '--json']).stdout) as {
    columns: { name: string; values: string[] }[];
  };
  const all = columns.find(({ name }) => name === 'evidence')?.values.slice(0, 3) ?? [];
  const ends = all.flatMap((text) => text.split('\n').slice(1));
  expect(ends.length).toBeGreaterThan(0);
  const { stdout } = crema(['summary', bundle]);
  expect(stdout).not.toContain('\\n');
  for (const line of ends) expect(stdout).toContain(`\n      ${line.split(' ')[0]}`);
});

it('the data rate in one unit, and one that was stored otherwise in its own', () => {
  const rates = (bundle: string) =>
    crema(['summary', bundle])
      .stdout.split('\n')
      .filter((line) => line.startsWith('  Data rate'));
  expect(rates(pathOf('local-4x1'))).toEqual([expect.stringMatching(/ MB\/s$/)]);
  const bundle = mkdtempSync(join(tmpdir(), 'crema-rate-'));
  const metrics = readFileSync(pathOf('local-4x1', 'metrics.json'), 'utf8');
  const stored = metrics.replace(/"data_rate_gbps": [\d.]+/, '"data_rate_gbps": 0.06');
  writeFileSync(join(bundle, 'metrics.json'), stored);
  expect(rates(bundle)).toEqual([
    expect.stringMatching(/ MB\/s$/),
    expect.stringMatching(/ 51\.9 Mbps +stored: 60\.?0* Mbps$/),
  ]);
});
