/**
 * The example workflow that keeps a history (docs/history-example.yml): its own steps, night by
 * night, with local folders where a runner has checkouts.
 */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { program } from '../support/program';
import { runnerShell, stepOf } from '../support/workflow';

const file = 'docs/history-example.yml';
const example = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

/** A run of the night: a million events in two chunks that took so long together. */
const metrics = (night: number, seconds: number) => {
  const start = 1.76e9 + 86400 * night;
  const chunks = [0, 1].map((number) => ({
    t_start: start,
    t_end: start + seconds / 2,
    duration: seconds / 2,
    num_events: 500_000,
    dataset: 'ttbar',
    file: `${number}.root`,
    timing: {},
  }));
  const sums = { total_events: 1e6, total_cpu_time: seconds, num_chunks: 2 };
  return JSON.stringify({ ...sums, raw_chunk_metrics: chunks });
};

let work: string;
const shell = (commands: string, cwd = work) =>
  spawnSync('bash', [...runnerShell, commands], {
    cwd,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${join(work, 'bin')}:${process.env.PATH}`,
      CREMA_PAGE: join(work, 'crema.html'),
      GITHUB_SHA: 'a1b2c3',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  });

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'crema-workflow-'));
  mkdirSync(join(work, 'analysis'));
  mkdirSync(join(work, 'runs'));
  // what the step Install leaves: the program on the path, and a page that it finds
  mkdirSync(join(work, 'bin'));
  symlinkSync(program, join(work, 'bin/crema'));
  writeFileSync(join(work, 'crema.html'), '<p>the page</p><!--crema-report-->');
  // the branch that is made once, as the example says
  const [, made = ''] = /Made once: (.*)/.exec(example) ?? [];
  const { status, stderr } = shell(`
    git init -q --bare origin.git && git clone -q origin.git made && cd made
    git config user.name history && git config user.email history@localhost
    ${made}
    git clone -q --branch history ../origin.git ../history`);
  expect(status, stderr).toBe(0);
});
afterAll(() => rmSync(work, { recursive: true }));

/** All steps after Install; what Check ends with. */
function night(number: number, seconds: number): { status: number | null; stdout: string } {
  mkdirSync(join(work, 'recorded'), { recursive: true });
  writeFileSync(join(work, 'recorded/metrics.json'), metrics(number, seconds));
  writeFileSync(
    join(work, 'analysis/record.sh'),
    '#!/bin/sh\nrm -rf "$1" && cp -r ../recorded "$1"\n',
    { mode: 0o755 },
  );
  expect(shell(stepOf(file, 'Record')).status).toBe(0);
  const check = shell(stepOf(file, 'Check'));
  const keep = shell(stepOf(file, 'Keep'));
  expect(keep.status, [check, keep].map(({ stdout, stderr }) => stdout + stderr).join('\n')).toBe(
    0,
  );
  return check;
}

it('keeps each run, passes while nothing is slower, fails when it is, and pushes all of it', () => {
  for (let number = 0; number < 8; number += 1) {
    const { status, stdout } = night(number, 100 + (number % 3));
    expect(status, stdout).toBe(0);
  }
  const slower = night(8, 120);
  expect(slower.stdout).toContain('core_seconds_per_million_events');
  expect(slower.status).toBe(1);

  const pushed = join(work, 'pushed');
  expect(shell(`git clone -q --branch history origin.git ${pushed}`).status).toBe(0);
  const digests = readdirSync(join(pushed, 'digests')).filter((name) => name !== 'index.json');
  expect(digests).toHaveLength(9);
  const index = JSON.parse(readFileSync(join(pushed, 'digests/index.json'), 'utf8'));
  expect(index.toSorted()).toEqual(digests.toSorted());
  expect(readFileSync(join(pushed, 'badge.svg'), 'utf8')).toContain('9 runs');
  expect(readFileSync(join(pushed, 'index.html'), 'utf8')).toContain('the page');
  expect(shell('git -C pushed log --format=%s').stdout.trim().split('\n')).toHaveLength(10);
});
