/**
 * The npm package as its users have it: a library for Node, and the command without a native build.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';

const root = fileURLToPath(new URL('../../', import.meta.url));
const native = join(root, 'build/native/crema');
const sample = join(root, 'public/samples/local-4x1.zip');

let folder: string;
let command: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crema-package-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const tarball = execFileSync(
    'npm',
    ['pack', '--silent', '--pack-destination', folder, join(root, 'build/package')],
    {
      encoding: 'utf8',
    },
  ).trim();
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', join(folder, tarball)], {
    cwd: folder,
  });
  command = join(folder, 'node_modules/.bin/crema');
});

function run(program: string, args: string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, ...environment },
    maxBuffer: 1e8,
  });
  return { status, stdout, stderr };
}

describe('the command as WebAssembly', () => {
  for (const args of [
    ['summary', pathOf('adaptive')],
    ['summary', sample],
    ['ask', pathOf('local-4x1'), 'profiles', '--json'],
    ['ask', pathOf('scale-1'), 'chunks', '--csv', '--select', '5:9'],
    ['compare', pathOf('scale-1'), pathOf('scale-2')],
    ['check', pathOf('scale-1'), pathOf('scale-4'), '--rule', 'event_rate_core_khz >= 0.9x'],
    ['export', pathOf('ab-before'), '--to', 'folded'],
    ['ask', 'nothing-here', 'budget'],
    ['ask', pathOf('scale-1'), 'no-question'],
  ]) {
    it(`does what the native one does: ${args.map((arg) => arg.split('/').at(-1)).join(' ')}`, () => {
      expect(run(command, args)).toEqual(run(native, args));
    });
  }

  it('does what the native one does: archives that lie in a folder, beside other files', () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(join(mixed, 'older'), { recursive: true });
    cpSync(pathOf('scale-1', 'metrics.json'), join(mixed, 'metrics.json'));
    cpSync(sample, join(mixed, 'older/run.zip'));
    for (const question of ['runs', 'summary', 'sources'])
      expect(run(command, ['ask', 'mixed', question])).toEqual(
        run(native, ['ask', 'mixed', question]),
      );
  });

  it('closes every file that it looks into', () => {
    const many = Array.from({ length: 100 }, () => join(root, 'README.md'));
    const few = spawnSync('sh', ['-c', 'ulimit -n 60; exec "$0" "$@"', command, 'ask', ...many], {
      encoding: 'utf8',
    });
    expect(few.stderr).not.toContain('EMFILE');
  });

  it('gives way to a native build', () => {
    const stand = join(folder, 'stand-in');
    writeFileSync(stand, '#!/bin/sh\necho native "$@"\nexit 3\n', { mode: 0o755 });
    expect(run(command, ['ask', 'x'], { CREMA_NATIVE: stand })).toEqual({
      status: 3,
      stdout: 'native ask x\n',
      stderr: '',
    });
  });

  it('writes a report with the page that comes with it', () => {
    const report = join(folder, 'report.html');
    expect(run(command, ['export', pathOf('scale-1'), '--to', 'html', '-o', report]).status).toBe(
      0,
    );
    expect(readFileSync(report, 'utf8')).toContain('id="crema-report"');
  });
});

describe('the library', () => {
  it('tells apart folders of one name, and leaves out what is hidden', () => {
    for (const [bundle, name] of [
      ['scale-1', 'old'],
      ['scale-2', 'new'],
    ] as const)
      cpSync(pathOf(bundle), join(folder, name, 'run'), { recursive: true });
    mkdirSync(join(folder, 'old/run/.ipynb_checkpoints'));
    cpSync(
      pathOf('scale-4', 'metrics.json'),
      join(folder, 'old/run/.ipynb_checkpoints/metrics-checkpoint.json'),
    );
    const program = `
      import { Engine } from 'cremascope';
      const engine = await Engine.create();
      await engine.openPaths(['old/run', 'new/run']);
      const runs = await engine.ask('runs');
      console.log(Array.from({ length: runs.rows }, (_, row) => runs.text('title', row)).join(' | '));`;
    writeFileSync(join(folder, 'apart.mjs'), program);
    expect(run(process.execPath, ['apart.mjs'])).toMatchObject({
      stderr: '',
      stdout: 'old/run | new/run\n',
    });
  });

  it('answers as the command does', () => {
    const program = `
      import { Engine, tableJson } from 'cremascope';
      const engine = await Engine.create();
      const { runs } = await engine.openPaths([${JSON.stringify(pathOf('scale-1'))}]);
      console.log(JSON.stringify(tableJson(await engine.ask('budget', { runs }))));`;
    writeFileSync(join(folder, 'program.mjs'), program);
    const said = run(process.execPath, ['program.mjs']);
    expect(said.stderr).toBe('');
    expect(JSON.parse(said.stdout)).toEqual(
      JSON.parse(run(native, ['ask', pathOf('scale-1'), 'budget', '--json']).stdout),
    );
  });

  it('declares its types, and those of what speaks to the page', () => {
    const program = `
      import { Engine } from 'cremascope';
      import { connect, type Table } from 'cremascope/host';
      export const rows = async (): Promise<number> => (await (await Engine.create()).ask('runs')).rows;
      export const summary = async (frame: HTMLIFrameElement): Promise<Table> =>
        (await connect(frame, { onState: ({ view }) => view.length })).ask('summary', { run: 0 });`;
    writeFileSync(join(folder, 'typed.mts'), program);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const said = run(process.execPath, [tsc, ...options, '--types', '', 'typed.mts']);
    expect(said).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('the page', () => {
  it('is found by its name, with what speaks to it and what others wrote', () => {
    const program = `
      import { readFileSync } from 'node:fs';
      import { connect } from 'cremascope/host';
      const page = readFileSync(new URL(import.meta.resolve('cremascope/crema.html')), 'utf8');
      console.log(typeof connect, page.includes('<!--crema-report-->'));`;
    writeFileSync(join(folder, 'page.mjs'), program);
    expect(run(process.execPath, ['page.mjs']).stdout).toBe('function true\n');
    for (const name of ['LICENSE', 'THIRD_PARTY.md'])
      expect(readFileSync(join(folder, 'node_modules/cremascope', name), 'utf8')).toBe(
        readFileSync(join(root, name), 'utf8'),
      );
  });

  it('is told of by a README whose commands answer', () => {
    const readme = readFileSync(join(folder, 'node_modules/cremascope/README.md'), 'utf8');
    const [, program = ''] = /```js\n(import \{ Engine[\s\S]*?)```/.exec(readme) ?? [];
    cpSync(pathOf('scale-1'), join(folder, 'run'), { recursive: true });
    writeFileSync(join(folder, 'readme.mjs'), program);
    expect(run(process.execPath, ['readme.mjs'])).toMatchObject({ status: 0, stderr: '' });
  });
});
