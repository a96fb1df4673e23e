/** The completions and the manual know what the program knows, because they are made from it. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { crema } from '../support/program';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const script = (shell: string): string => crema(['completions', shell]).stdout;

/** Words as readline breaks them, where "=" is a word of its own. */
const broken = (line: string): string[] => line.split(/ |(=)/).filter((word) => word !== undefined);

/** What bash offers at the end of a line, by name. */
function inBash(line: string): string[] {
  const words = broken(line);
  const run = `${script('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _crema; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', run, 'bash', ...words], {
    encoding: 'utf8',
    cwd: '/',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter((word) => word !== '')
    .sort();
}

const questions = Array.from(
  crema(['ask', '--help']).stdout.matchAll(/^ {2}(\w+) {2,}\S/gm),
  ([, name = '']) => name,
).filter((name) => !name.startsWith('-'));

describe.runIf(has('bash'))('bash', () => {
  it('completes commands and their options', () => {
    expect(inBash('crema ')).toEqual(
      expect.arrayContaining(['summary', 'ask', 'export', 'compare', 'check', '--version']),
    );
    expect(inBash('crema comp')).toEqual(['compare', 'completions']);
    expect(inBash('crema ask run --da')).toEqual(['--dataset']);
    expect(inBash('crema export run --f')).toEqual(['--file', '--force']);
    expect(inBash('crema summary --')).toEqual(['--explain', '--help']);
  });

  it('completes what an option takes', () => {
    expect(inBash('crema export run --to s')).toEqual(['speedscope', 'svg']);
    expect(inBash('crema export run --leaves ')).toEqual([
      'counted',
      'estimated',
      'forced',
      'notebook',
    ]);
    expect(inBash('crema completions ')).toEqual(['bash', 'fish', 'zsh']);
    expect(inBash('crema ask run --dataset ')).toEqual([]);
  });

  it('completes questions and files', () => {
    expect(inBash('crema ask run budg')).toEqual(['budget']);
    expect(inBash('crema ask run ')).toEqual(expect.arrayContaining([...questions, 'tmp']));
    expect(inBash('crema summary tm')).toEqual(['tmp']);
    expect(inBash('crema export run -o tm')).toEqual(['tmp']);
  });

  it('completes options of the question, and their values', () => {
    expect(inBash('crema ask run worker_matrix --option st')).toEqual(['stat=']);
    expect(inBash('crema ask run worker_matrix --option stat=')).toEqual([
      'max',
      'mean',
      'min',
      'tick',
    ]);
    expect(inBash('crema ask run worker_matrix --option stat=m')).toEqual(['max', 'mean', 'min']);
    expect(inBash('crema ask run throughput --option stat=')).toEqual([]);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  it('is told every question and every option', () => {
    const text = script(shell);
    expect(questions.length).toBeGreaterThan(40);
    for (const question of questions) expect(text).toMatch(new RegExp(`\\b${question}\\b`));
    for (const flag of ['select', 'prefix', 'rules', 'force', 'hide-paths', 'explain'])
      expect(text).toContain(flag);
  });

  it.runIf(has(shell))('takes the script', () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: script(shell), encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('crema man', () => {
  const { status, stdout } = crema(['man']);
  const plain = stdout.replaceAll('\\-', '-').replace(/\\f[BIR]/g, '');

  it('is a manual page', () => {
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\.\\" .*\n\.TH CREMA 1 /);
    for (const section of ['NAME', 'SYNOPSIS', 'COMMANDS', 'QUESTIONS', 'EXIT STATUS', 'EXAMPLES'])
      expect(stdout).toContain(`\n.SH ${section}\n`);
  });

  it('says of every question and option what help says', () => {
    for (const question of questions) expect(plain).toContain(`\n${question}\n`);
    for (const command of [
      'summary',
      'ask',
      'export',
      'compare',
      'check',
      'bisect',
      'digest',
      'history',
      'questions',
      'completions',
      'man',
    ]) {
      expect(plain).toContain(`\n.SS crema ${command}`);
      for (const [, flag] of crema([command, '--help']).stdout.matchAll(/^ {2}.*?(--[\w-]+)/gm))
        expect(plain, `${command} ${flag}`).toContain(flag);
    }
    expect(plain).toContain('stat=VALUE\n');
  });
});
