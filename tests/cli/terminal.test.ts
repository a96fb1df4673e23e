/** Names in a bundle may hold anything; a terminal obeys none of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricsNamed } from '../support/hostileByHand';
import { crema } from '../support/program';

// sets the window's title, clears the screen, turns the direction of writing, and is C1's form of
// ESC [
const evil = '\u001b]0;owned\u0007\u001b[2J\u202e\u009b31m\u007f\r';
const named = (what: string) => `${evil}${what}`;

let parent: string;
let run: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'crema-'));
  run = join(parent, `run\u001b[2J`);
  mkdirSync(run);
  writeFileSync(join(run, 'metrics.json'), JSON.stringify(metricsNamed(named)));
  writeFileSync(join(run, `stray\u001b[2J.json`), '{"a": 1,}');
});
afterAll(() => rmSync(parent, { recursive: true }));

const isObeyed = (character: string): boolean =>
  /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(character) && character !== '\n';
const obeyed = (text: string): string[] => [...new Set(text)].filter(isObeyed);

describe('a bundle with control characters in all names', () => {
  it.each([
    ['summary'],
    ['summary', '--explain'],
    ['ask', 'chunks'],
    ['ask', 'datasets', '--explain'],
    ['ask', 'sections'],
    ['ask', 'fine'],
    ['ask', 'findings'],
    ['ask', 'quality'],
    ['ask', 'sources'],
    ['ask', 'workers'],
  ])('sends none of them: %s %s', (command, ...rest) => {
    const { status, stdout, stderr } = crema([command, run, ...rest]);
    expect(status).toBe(0);
    expect(obeyed(stdout)).toEqual([]);
    expect(obeyed(stderr)).toEqual([]);
  });

  it('shows what they are', () => {
    const { stdout } = crema(['ask', run, 'datasets']);
    expect(stdout).toContain('\\x1b]0;owned\\x07\\x1b[2J\\u202e\\u009b31m\\x7f\\rdataset');
  });

  it('sends none in Markdown', () => {
    for (const command of ['compare', 'check']) {
      const { status, stdout } = crema([command, run, run]);
      expect(status).not.toBe(null);
      expect(stdout).toContain('\\x1b');
      expect(obeyed(stdout)).toEqual([]);
    }
  });

  it('sends none in what it refuses', () => {
    for (const args of [
      ['ask', run, 'datasets', '--dataset', 'x'],
      ['ask', run, evil],
      ['ask', run, 'datasets', '--option', `${evil}=1`],
      ['summary', join(parent, evil)],
      ['summary', join(run, 'stray\u001b[2J.json')],
      [evil],
      ['summary', run, `--${evil}`],
    ]) {
      const { status, stdout, stderr } = crema(args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr.length).toBeGreaterThan(10);
      expect(obeyed(stderr)).toEqual([]);
    }
  });

  it('keeps them exactly in JSON and CSV', () => {
    const { columns } = JSON.parse(crema(['ask', run, 'datasets', '--json']).stdout);
    expect(columns[0].values).toEqual([named('dataset')]);
    expect(crema(['ask', run, 'datasets', '--csv']).stdout).toContain(`"${named('dataset')}"`);
  });
});
