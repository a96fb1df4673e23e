/** Digests and their folder, and what a history is made into. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';
import { writeSeason } from '../support/season';

const run = pathOf('scale-1');
let scratch: string;
let folder: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'crema-history-'));
});
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'digests-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const indexIn = (of: string): string[] => JSON.parse(readFileSync(join(of, 'index.json'), 'utf8'));

describe('a folder of digests', () => {
  it('has an index of what lies in it, recordings that were named there among them', () => {
    writeFileSync(join(folder, 'old.zip'), '');
    writeFileSync(join(folder, 'index.json'), '["old.zip", "gone.zip"]');
    expect(crema(['digest', run, pathOf('scale-2'), '-o', folder]).status).toBe(0);
    expect(indexIn(folder)).toEqual(['old.zip', 'scale-1.digest.json', 'scale-2.digest.json']);
  });

  it('keeps a note with a run, also one that comes later', () => {
    crema(['digest', run, '-o', folder]);
    const file = join(folder, 'scale-1.digest.json');
    const before = JSON.parse(readFileSync(file, 'utf8'));
    expect(crema(['digest', file, '-o', folder, '--note', 'new disks', '--force']).status).toBe(0);
    const after = JSON.parse(readFileSync(file, 'utf8'));
    expect(after.labels.note).toBe('new disks');
    expect(after.answers).toEqual(before.answers);
    expect(crema(['ask', file, 'history', '--csv']).stdout).toContain('new disks');
  });

  it('keeps a run of the same name and another time beside the first', () => {
    crema(['digest', run, '-o', folder]);
    const first = join(folder, 'scale-1.digest.json');
    const another = { ...JSON.parse(readFileSync(first, 'utf8')), started_at: 1.7e9 };
    writeFileSync(first, JSON.stringify(another));
    expect(crema(['digest', run, '-o', folder]).status).toBe(0);
    expect(indexIn(folder)).toEqual([
      expect.stringMatching(/^scale-1\.20\d\d-\d\d-\d\dT\d{6}\.digest\.json$/),
      'scale-1.digest.json',
    ]);
    // the same run again is refused as any file that is there
    expect(crema(['digest', run, '-o', folder]).status).toBe(2);
  });

  it('gets the digest of what a gate was asked about', () => {
    const asked = ['check', run, pathOf('scale-2'), '--rule', 'lost_chunks == 0'];
    crema([...asked, '--allow', 'missing-events', '--digest', join(folder, 'kept')]);
    expect(readdirSync(join(folder, 'kept'))).toEqual(['index.json', 'scale-2.digest.json']);
  });
});

describe('crema history --to', () => {
  it('svg: a badge with the newest change', async () => {
    await writeSeason(folder);
    const { stdout, status } = crema(['history', folder, '--to', 'svg']);
    expect(status).toBe(0);
    expect(stdout).toContain('Process time per million events +19.7 % since 2025-10-15</text>');
    expect(stdout).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="20"/);
    for (let day = 4; day < 10; day += 1) rmSync(join(folder, `run-${day}.digest.json`));
    expect(crema(['history', folder, '--to', 'svg']).stdout).toContain('too few runs: 4 runs');
  });

  it('html: the page with all runs inside, which begins in History', async () => {
    await writeSeason(folder);
    const page = join(scratch, 'page.html');
    writeFileSync(page, '<p></p><!--crema-report-->');
    const out = join(scratch, 'history.html');
    const asked = ['history', folder, '--to', 'html', '--page', page, '-o', out];
    expect(crema(asked).status).toBe(0);
    expect(existsSync(out)).toBe(true);
    const text = readFileSync(out, 'utf8');
    expect(text).toContain('"hash":"#v=2&view=history"');
    expect(text.match(/digest\.json/g)).toHaveLength(10);
    expect(crema(asked).stderr).toContain('--force');
  });
});
