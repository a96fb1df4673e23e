/** What cannot be written is said, and nothing is written that was not asked for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema, cremaInto, program } from '../support/program';

const before = pathOf('ab-before');
const after = pathOf('ab-after');
const full = '/dev/full'; // Linux's device that is always full

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crema-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.runIf(existsSync(full))('a full disk', () => {
  it.each([
    ['summary', before],
    ['ask', before, 'runs'],
    ['ask', before, 'runs', '--json'],
    ['ask', before, 'runs', '--csv'],
    ['compare', before, after],
    ['check', before, before],
    ['export', before, '--to', 'folded'],
    ['completions', 'bash'],
    ['man'],
    ['--help'],
    ['--version'],
  ])('crema %s ends with a sentence and status 1', (...args) => {
    expect(cremaInto(full, args)).toEqual({
      status: 1,
      stderr: 'crema: standard output cannot be written: No space left on device\n',
    });
  });

  it('under the file that -o names is told the same way', () => {
    const { status, stderr } = crema(['export', before, '--to', 'folded', '-o', full]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'crema: /dev/full cannot be written: No space left on device\n',
    });
  });
});

it('ends without a word when nobody reads on', async () => {
  // it reads all of its input before it writes: the reader is gone by then
  const child = spawn(program, ['summary', '-']);
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const closed = once(child.stdout, 'close');
  child.stdout.destroy();
  await closed;
  child.stdin.end(readFileSync(join(before, 'metrics.json')));
  const [status] = await once(child, 'close');
  expect({ said, status }).toEqual({ said: '', status: 128 + constants.signals.SIGPIPE });
});

it.each([
  ['https://host/run.zip', ', or pipe it: curl -sL https://host/run.zip | crema summary -'],
  ['root://host//run', ''],
])('says of the address %s what to do instead', (address, pipe) => {
  const { status, stderr } = crema(['summary', address]);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `crema: ${address}: cannot be opened: addresses are not fetched: copy it to this machine first${pipe}\n`,
  });
});

describe('crema export', () => {
  it.each(['json', 'csv'])('--to %s writes files only into a folder that -o names', (format) => {
    const { status, stdout, stderr } = crema(['export', before, '--to', format]);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `crema: ${format} writes several files: name a folder for them with -o\n`,
    });
    const target = join(folder, 'new', 'tables');
    expect(crema(['export', before, '--to', format, '-o', target]).status).toBe(0);
    expect(readdirSync(target)).toContain(`budget.${format}`);
  });

  it('does not take a file for a folder', () => {
    const file = join(folder, 'notes');
    writeFileSync(file, 'mine');
    const { status, stderr } = crema(['export', before, '--to', 'json', '-o', file]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `crema: ${file} is no folder; several files are written\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('overwrites nothing without --force', () => {
    const file = join(folder, 'run.folded');
    writeFileSync(file, 'mine');
    const args = ['export', before, '--to', 'folded', '-o', file];
    const { status, stderr } = crema(args);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `crema: ${file} is there already; nothing was written. --force overwrites\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(crema([...args, '--force']).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain(';');
    expect(readdirSync(folder)).toEqual(['run.folded']);
  });

  it('writes none of several files when one is there already', () => {
    writeFileSync(join(folder, 'budget.json'), 'mine');
    const args = ['export', before, '--to', 'json', '-o', folder];
    expect(crema(args).stderr).toContain('budget.json is there already; nothing was written');
    expect(readdirSync(folder)).toEqual(['budget.json']);
    expect(crema([...args, '--force']).status).toBe(0);
    expect(readdirSync(folder).length).toBeGreaterThan(20);
    expect(crema(args).stderr).toMatch(/\w+\.json and \d+ more are there already/);
  });

  it('writes one file into a folder under its own name, and to standard output as "-"', () => {
    mkdirSync(join(folder, 'there'));
    expect(crema(['export', before, '--to', 'folded', '-o', join(folder, 'there')]).status).toBe(0);
    expect(
      crema(['export', before, '--to', 'folded', '-o', `${join(folder, 'made')}/`]).status,
    ).toBe(0);
    expect(readdirSync(join(folder, 'made'))).toEqual(readdirSync(join(folder, 'there')));
    expect(crema(['export', before, '--to', 'folded', '-o', '-']).stdout).toContain(';');
  });

  it('says when a folder cannot be made', () => {
    writeFileSync(join(folder, 'file'), '');
    const { status, stderr } = crema([
      'export',
      before,
      '--to',
      'json',
      '-o',
      join(folder, 'file', 'tables'),
    ]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `crema: ${join(folder, 'file', 'tables')} cannot be written: Not a directory\n`,
    });
  });
});
