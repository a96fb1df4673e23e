/** A bundle may come from standard input ("-") or from another pipe. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema, program } from '../support/program';

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

const hasBash = spawnSync('bash', ['-c', 'true']).status === 0;

/** Runs `crema` in bash, which makes pipes of `<(command)`; $1, $2, ... are `files`. */
function inBash(args: string, files: string[], env: NodeJS.ProcessEnv = {}): string {
  const command = `"$0" ${args}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command, program, ...files], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe.runIf(hasBash)('a pipe that a shell makes', () => {
  const file = pathOf('ab-before', 'metrics.json');

  it('is read as its file', () => {
    const byPath = values(crema(['ask', file, 'summary', '--json']));
    for (const pack of ['cat', 'gzip -c', 'tar -cz'])
      expect(
        values({ stdout: inBash(`ask <(${pack} "$1" 2>/dev/null) summary --json`, [file]) }),
      ).toEqual(byPath);
  });

  it('is a file among others', () => {
    const both = [file, pathOf('ab-after', 'metrics.json')];
    expect(JSON.parse(inBash('ask <(cat "$1") "$2" runs --json', both)).rows).toBe(2);
    expect(inBash('compare <(cat "$1") <(cat "$2")', both)).toContain('B takes 2.27 times as long');
  });

  it('leaves nothing behind', () => {
    const kept = mkdtempSync(join(folder, 'kept-'));
    expect(inBash('ask <(cat "$1") runs', [file], { TMPDIR: kept })).not.toBe('');
    expect(readdirSync(kept)).toEqual([]);
  });
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
