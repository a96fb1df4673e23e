/** Which commit made runs worse: repositories whose commits say how long a run takes. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema, program } from '../support/program';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'crema-bisect-test-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const author = ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
const git = (folder: string, ...given: string[]) =>
  execFileSync('git', [...author, ...given], { cwd: folder, encoding: 'utf8' }).trim();

const digest = JSON.stringify({
  crema_digest: 1,
  answers: [
    {
      question: 'summary',
      columns: [
        { name: 'id', type: 'text', values: ['total_events', 'total_cpu_time'] },
        { name: 'label', type: 'text', values: ['Events', 'Process time'] },
        { name: 'value', type: 'number', values: [1e6, 'SECONDS'] },
        { name: 'unit', type: 'text', values: ['count', 's'] },
        { name: 'better', type: 'text', values: [null, 'lower'] },
      ],
    },
  ],
}).replace('"SECONDS"', 'SECONDS');

/** Sixteen commits after the first; in each a file says how long a run takes, or that none can be made. */
function repository(name: string, seconds: (commit: number) => string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  git(folder, 'init', '--quiet');
  writeFileSync(join(folder, 'template.json'), digest);
  for (let commit = 0; commit <= 16; commit += 1) {
    writeFileSync(join(folder, 'seconds'), `${seconds(commit)}\n`);
    writeFileSync(join(folder, 'number'), `${commit}\n`);
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '-m', `Commit ${commit}`);
    git(folder, 'tag', `c${commit}`);
  }
  return folder;
}

const record = `mkdir "$CREMA_RUN" && test "$(cat seconds)" != fails &&
  sed "s/SECONDS/$(cat seconds)/" template.json > "$CREMA_RUN/run.digest.json"`;

const bisect = (folder: string, command: string, ...more: string[]) =>
  crema(
    ['bisect', 'c0', 'c16', '--number', 'total_cpu_time', '--run', command, ...more],
    '',
    folder,
  );

/** What must be as before, whatever happens. */
const stateOf = (folder: string) => ({
  head: git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
  status: git(folder, 'status', '--porcelain'),
  trees: git(folder, 'worktree', 'list', '--porcelain'),
  left: readdirSync(tmpdir()).filter((name) => /^crema-bisect-\w{6}$/.test(name)),
});

describe('crema bisect', () => {
  it('names the commit, with the change and its error, and says before how many runs it takes', () => {
    const folder = repository('step', (commit) => (commit < 11 ? '100' : '120'));
    writeFileSync(join(folder, 'number'), 'changed by hand\n');
    const before = stateOf(folder);
    const { status, stdout, stderr } = bisect(folder, record);
    expect(stdout).toMatch(
      /^[0-9a-f]{7,} Commit 11 \(A, \d{4}-\d\d-\d\d\) is the first commit that is worse, with 9[5-9]/,
    );
    expect(stdout).toMatch(/total_cpu_time 1 min 40 s → 2 min 0 s, \+20 % ± \d/);
    expect(stderr.split('\n')[0]).toMatch(
      /^16 commits; .* half of the searches take at most \d+ runs for a change of 5/,
    );
    expect(status).toBe(0);
    expect(stateOf(folder)).toEqual(before);
    expect(readFileSync(join(folder, 'number'), 'utf8')).toBe('changed by hand\n');
  });

  it('skips commits that cannot be run, and names all of which it can be one', () => {
    const folder = repository('skipped', (commit) =>
      commit >= 7 && commit <= 9 ? 'fails' : commit < 8 ? '100' : '120',
    );
    const { status, stdout, stderr } = bisect(folder, record);
    expect(stdout).toMatch(
      /^The first commit that is worse is one of these, of which only the last could be run/,
    );
    expect([...stdout.matchAll(/^ {2}\w+ Commit (\d+)$/gm)].map(([, commit]) => commit)).toEqual([
      '7',
      '8',
      '9',
      '10',
    ]);
    expect(stderr).toMatch(/skipped: \w+ Commit [789]: the command ended with status 1/);
    expect(status).toBe(0);
  });

  it('finds it in noise, and keeps the recordings', () => {
    const folder = repository('noise', (commit) => (commit < 5 ? '100' : '110'));
    // Three per cent, from a list: each run takes the next.
    const noise = join(scratch, 'noise.txt');
    const values = [0.97, 1.02, 1.01, 0.98, 1.03, 1, 0.99, 1.04, 0.98, 0.97, 1.02, 1.01];
    writeFileSync(noise, [...values, ...values, ...values, ...values].join('\n'));
    const noisy = `mkdir "$CREMA_RUN" && n=$(head -n 1 ${noise}) && sed -i 1d ${noise} &&
      s=$(awk "BEGIN { print $(cat seconds) * $n }") &&
      sed "s/SECONDS/$s/" template.json > "$CREMA_RUN/run.digest.json"`;
    const kept = join(scratch, 'kept');
    const { status, stdout } = bisect(folder, noisy, '--keep', kept);
    expect(stdout).toMatch(/ Commit 5 \(/);
    expect(status).toBe(0);
    expect(readdirSync(kept).length).toBe(Number(/after (\d+) runs/.exec(stdout)?.[1]));
  });

  it('says that runs cannot tell where nothing changed', () => {
    const folder = repository('same', () => '100');
    const { status, stdout } = bisect(folder, record, '--at-most', '8');
    expect(stdout).toMatch(
      /^These runs cannot tell which commit it is; one of these, with .* after 8 runs/,
    );
    expect(status).toBe(3);
  });

  it('refuses what it cannot search, and leaves nothing behind', () => {
    const folder = repository('refused', () => '100');
    const before = stateOf(folder);
    const refused = (...given: string[]) => {
      const { status, stderr } = crema(['bisect', ...given], '', folder);
      expect(status).toBe(2);
      expect(stateOf(folder)).toEqual(before);
      return stderr;
    };
    expect(refused('c0', 'nothing', '--run', record)).toContain(
      'nothing is no commit of the repository',
    );
    expect(refused('c16', 'c0', '--run', record)).toContain('c16 is not an ancestor of c0');
    expect(refused('c0', 'c0', '--run', record)).toContain('c0 and c0 are one commit');
    expect(refused('c0', 'c16', '--run', 'exit 7')).toContain(
      'cannot be run: the command ended with status 7',
    );
    expect(refused('c0', 'c16', '--run', 'true')).toContain(
      'the command recorded nothing in $CREMA_RUN',
    );
    expect(refused('c0', 'c16', '--run', record, '--number', 'total_cpu_tine')).toContain(
      'Did you mean total_cpu_time?',
    );
    expect(refused('c0', 'c16')).toContain('--run is required');
  });

  it('on Ctrl-C ends the command and all that it started, and leaves nothing behind', async () => {
    const folder = repository('interrupted', () => '100');
    const before = stateOf(folder);
    const started = join(scratch, 'started');
    const one: ChildProcess = spawn(
      program,
      ['bisect', 'c0', 'c16', '--run', `sleep 1000 & echo $! > ${started}; wait`],
      { cwd: folder, stdio: 'ignore' },
    );
    const ended = new Promise<number | null>((resolve) => one.on('exit', resolve));
    while (!existsSync(started) || readFileSync(started, 'utf8') === '')
      await new Promise((resolve) => setTimeout(resolve, 20));
    one.kill('SIGINT');
    expect(await ended).toBe(130);
    const sleeper = Number(readFileSync(started, 'utf8'));
    // Where nobody takes its status it stays as a zombie.
    expect(
      spawnSync('ps', ['-o', 'stat=', '-p', `${sleeper}`], { encoding: 'utf8' }).stdout,
    ).toMatch(/^(Z.*)?\s*$/);
    expect(stateOf(folder)).toEqual(before);
  });

  it('is what compare ends with, where B is worse and of another commit', () => {
    const labelled = (name: string, bundle: string, commit: string) => {
      const folder = join(scratch, name);
      cpSync(pathOf(bundle), folder, { recursive: true });
      writeFileSync(join(folder, 'labels.json'), JSON.stringify({ commit }));
      return folder;
    };
    const before = labelled('before', 'ab-before', 'a2efe2c');
    const after = labelled('after', 'ab-after', 'b2c41d7');
    const last = (a: string, b: string) =>
      crema(['compare', a, b]).stdout.trimEnd().split('\n').at(-1);
    expect(last(before, after)).toMatch(
      /crema bisect a2efe2c b2c41d7 --number \w+ --run 'COMMAND that records a run into \$CREMA_RUN'$/,
    );
    // B is better; or its commit is not known, or no word that a shell takes as it is.
    expect(last(after, before)).not.toContain('bisect');
    expect(last(before, pathOf('ab-after'))).not.toContain('bisect');
    expect(last(before, labelled('odd', 'ab-after', '$(date)'))).not.toContain('bisect');
  });
});
