/** "-" is a bundle from standard input. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

const metrics = readFileSync(pathOf('ab-before', 'metrics.json'));
const values = (answer: { stdout: string }): unknown =>
  JSON.parse(answer.stdout).columns.find(({ name }: { name: string }) => name === 'value').values;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crema-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('a file, as it is or packed, is read as from its path', () => {
  const byPath = values(crema(['ask', pathOf('ab-before', 'metrics.json'), 'summary', '--json']));
  expect(values(crema(['ask', '-', 'summary', '--json'], metrics))).toEqual(byPath);
  expect(values(crema(['ask', '-', 'summary', '--json'], gzipSync(metrics)))).toEqual(byPath);
});

it('an archive is read as from its path', () => {
  const archive = join(folder, 'run.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', pathOf('.'), 'ab-before']);
  const byPath = crema(['ask', archive, 'summary', '--json']);
  expect(byPath.status).toBe(0);
  expect(values(crema(['ask', '-', 'summary', '--json'], readFileSync(archive)))).toEqual(
    values(byPath),
  );
});

it('it is one run among others', () => {
  const { status, stdout } = crema(['compare', '-', pathOf('ab-after')], metrics);
  expect(status).toBe(0);
  expect(stdout).toContain('(A) → ab-after (B)');
});

it('nothing at all is said to be nothing', () => {
  const { status, stdout, stderr } = crema(['summary', '-']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('standard input');
  expect(stderr).toContain('empty');
});
