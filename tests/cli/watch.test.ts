/** `crema watch` of a recording that grows. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allRows, growingFiles, planned } from '../support/growing';
import { crema, program } from '../support/program';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crema-watch-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (...grown: Parameters<typeof growingFiles>) => {
  for (const [name, content] of growingFiles(...grown)) writeFileSync(join(folder, name), content);
};

const chunks = planned.reduce((sum, one) => sum + one.tasks, 0);

it('says how far each dataset is, and how long the rest takes', () => {
  write(20);
  const { stdout, status } = crema(['watch', '--once', folder]);
  expect(status).toBe(0);
  // 7 of the first 20 rows are chunks, one of which failed
  expect(stdout).toMatch(new RegExp(`% of ${chunks} chunks done; .+ to .+ left`));
  for (const { dataset, tasks } of planned)
    expect(stdout).toMatch(new RegExp(`${dataset} .*\\d of ${tasks} chunk`));
  expect(stdout).toMatch(/Failures\n.*1 attempt of 1 chunk failed with \w+/);
});

it('waits where there is nothing yet, and refuses what is no folder', () => {
  const { stdout, status } = crema(['watch', '--once', folder]);
  expect(stdout).toContain('No task has been recorded');
  expect(status).toBe(2);
  const refused = crema(['watch', '--once', join(folder, 'none')]);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('there is no such folder');
});

it('follows a recording before its first task has ended', () => {
  write(0);
  const { stdout, status } = crema(['watch', '--once', folder]);
  expect(status).toBe(0);
  expect(stdout).toContain(`0 % of ${chunks} chunks done`);
});

it('a line for each change where nobody looks, a command for what happens, and the end', async () => {
  write(12);
  const news = join(folder, '.news');
  const tell = `printf '%s\\n' "$CREMA_NEWS" >> ${news}`;
  const child = spawn(program, ['watch', '--every', '0.2', '--exec', tell, folder]);
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await expect.poll(() => said).toMatch(/done/);
  write(24);
  await expect.poll(() => said.trim().split('\n').length).toBeGreaterThan(1);
  write(allRows, { state: 'complete' });
  expect(await ended).toBe(0);
  expect(said.trim().split('\n').at(-1)).toBe(`100 % of ${chunks} chunks done`);
  const { stdout } = crema(['ask', folder, 'progress', '--json']);
  expect(JSON.parse(stdout).notes.state).toBe('ended');
});
