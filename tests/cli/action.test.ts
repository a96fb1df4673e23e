/** The gate as a step of a workflow (action.yml): its own commands, with a `gh` that knows a folder. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { program } from '../support/program';
import { runnerShell, stepOf } from '../support/workflow';

/**
 * What the action asks of GitHub's own program: the files of a release are in `release/`, the
 * comments of the pull request in comments.json; with a file `forked` nobody may write.
 */
const gh = `#!/usr/bin/env node
const { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'release') {
  for (const name of readdirSync(process.env.GITHUB + '/release'))
    copyFileSync(process.env.GITHUB + '/release/' + name, name);
  process.exit(0);
}
const file = process.env.GITHUB + '/comments.json';
const comments = JSON.parse(readFileSync(file, 'utf8'));
const after = (option) => args[args.indexOf(option) + 1];
if (args.includes('--jq')) {
  const [, mark] = /startswith\\("(.*?)"\\)/.exec(after('--jq'));
  for (const { id, body } of comments) if (body.startsWith(mark)) console.log(id);
  process.exit(0);
}
if (existsSync(process.env.GITHUB + '/forked')) {
  console.error('gh: Resource not accessible by integration (HTTP 403)');
  process.exit(1);
}
const body = readFileSync(after('-F').replace('body=@', ''), 'utf8');
if (after('--method') === 'POST') comments.push({ id: 100 + comments.length, body });
else comments.find(({ id }) => args.some((arg) => arg.endsWith('/comments/' + id))).body = body;
writeFileSync(file, JSON.stringify(comments));
`;

let work: string;
const archive = 'crema-0.1.0-linux-x64.tar.gz';

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'crema-action-'));
  for (const folder of ['bin', 'release', 'crema-0.1.0-linux-x64']) mkdirSync(join(work, folder));
  writeFileSync(join(work, 'bin/gh'), gh, { mode: 0o755 });
  copyFileSync(program, join(work, 'crema-0.1.0-linux-x64/crema'));
  writeFileSync(
    join(work, 'crema-0.1.0-linux-x64/crema.html'),
    '<p>the page</p><!--crema-report-->',
  );
  spawnSync('tar', ['-czf', `release/${archive}`, 'crema-0.1.0-linux-x64'], { cwd: work });
  const sum = createHash('sha256').update(readFileSync(join(work, 'release', archive)));
  writeFileSync(join(work, 'release/SHA256SUMS'), `${sum.digest('hex')}  ${archive}\n`);
});
afterAll(() => rmSync(work, { recursive: true }));
beforeEach(() => {
  writeFileSync(join(work, 'comments.json'), '[{"id":7,"body":"Looks good"}]');
  for (const left of ['forked', 'temp', 'summary.md'])
    rmSync(join(work, left), { recursive: true, force: true });
  mkdirSync(join(work, 'temp'));
});

function step(name: string, env: Record<string, string> = {}) {
  return spawnSync('bash', [...runnerShell, stepOf('action.yml', name)], {
    cwd: work,
    encoding: 'utf8',
    env: {
      PATH: `${join(work, 'bin')}:${process.env.PATH}`,
      GITHUB: work,
      GITHUB_REPOSITORY: 'group/analysis',
      GITHUB_OUTPUT: join(work, 'output'),
      GITHUB_STEP_SUMMARY: join(work, 'summary.md'),
      RUNNER_TEMP: join(work, 'temp'),
      RUNNER_OS: 'Linux',
      RUNNER_ARCH: 'X64',
      PULL: '12',
      ...env,
    },
  });
}
const check = (baseline: string, candidate: string, rules = 'event_rate_core_khz not worse') =>
  step('Check', { BASELINE: baseline, CANDIDATE: candidate, RULES: rules });
const comments = () =>
  JSON.parse(readFileSync(join(work, 'comments.json'), 'utf8')) as { id: number; body: string }[];

it('downloads, checks, and keeps one comment', () => {
  expect(step('Download crema').status).toBe(0);
  const worse = check(pathOf('ab-before'), pathOf('ab-after'), 'lost_chunks == 1\n\n');
  expect(worse.stdout).toContain('::error');
  expect(worse.status).toBe(1);
  expect(readFileSync(join(work, 'summary.md'), 'utf8')).toContain('lost\\_chunks == 1');
  expect(readFileSync(join(work, 'temp/crema/report.html'), 'utf8')).toContain('the page');
  expect(step('Comment').status).toBe(0);
  const [before, said] = comments();
  expect(before?.body).toBe('Looks good');
  expect(said?.body).toMatch(/^<!-- crema gate -->\n# The rule is broken\n/);
  expect(said?.body).toContain('B takes 2.27 times as long');

  const kept = check(pathOf('ab-after'), pathOf('ab-after'), 'lost_chunks == 0');
  expect(kept.status, kept.stdout).toBe(2); // a run against itself
  expect(step('Comment').status).toBe(0);
  const again = comments();
  expect(again.map(({ id }) => id)).toEqual([7, said?.id]);
  expect(again[1]?.body).not.toBe(said?.body);
});

it.each([
  ['lines', (runs: string[]) => `${runs.join('\n')}\n`],
  ['a pattern', ([first = '']: string[]) => first.replace(/1$/, '*')],
])('takes replicates as %s', (_, written) => {
  expect(step('Download crema').status).toBe(0);
  const runs = (name: string) =>
    [1, 2].map((which) => {
      const run = join(work, `temp/${name}-${which}`);
      cpSync(pathOf(name), run, { recursive: true });
      return run;
    });
  const before = runs('scale-1');
  const after = runs('scale-2');
  check(written(before), written(after), 'lost_chunks == 0');
  expect(readFileSync(join(work, 'temp/crema/verdict.md'), 'utf8')).toMatch(
    /^## scale-1-1 and 1 more \(A\) → scale-2-1 and 1 more \(B\)/m,
  );
});

it('says what could not be read, at the step and in the comment', () => {
  expect(step('Download crema').status).toBe(0);
  const none = check(join(work, 'nothing'), pathOf('ab-after'));
  expect(none.status).toBe(2);
  expect(none.stdout).toMatch(/^::error .*there is no such file or folder/m);
  expect(step('Comment').status).toBe(0);
  expect(comments()[1]?.body).toContain('# Rules not checked');
});

it('leaves the fold out of a comment that would be too long', () => {
  mkdirSync(join(work, 'temp/crema'), { recursive: true });
  const fold = `<details>\n${'x'.repeat(70000)}\n</details>\n`;
  writeFileSync(join(work, 'temp/crema/verdict.md'), `# The rule is kept\n${fold}`);
  expect(step('Comment').status).toBe(0);
  expect(comments()[1]?.body).toBe('<!-- crema gate -->\n# The rule is kept\n');
});

it('says in the summary alone what a fork may not write', () => {
  expect(step('Download crema').status).toBe(0);
  expect(check(pathOf('ab-before'), pathOf('ab-after'), 'lost_chunks == 0').status).toBe(0);
  writeFileSync(join(work, 'forked'), '');
  const said = step('Comment');
  expect(said.stdout).toContain('::notice::');
  expect(said.status).toBe(0);
  expect(existsSync(join(work, 'summary.md'))).toBe(true);
  expect(comments()).toHaveLength(1);
});

it('runs nothing whose checksum is another', () => {
  const sums = readFileSync(join(work, 'release/SHA256SUMS'), 'utf8');
  writeFileSync(
    join(work, 'release/SHA256SUMS'),
    sums.replace(/^../, (two) => (two === '00' ? '11' : '00')),
  );
  expect(step('Download crema').status).toBe(1);
  expect(existsSync(join(work, 'temp/crema/crema'))).toBe(false);
  writeFileSync(join(work, 'release/SHA256SUMS'), sums);
});
