/** Flame graphs: what a user does with one. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';

let host: Host;
let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

describe('a flame graph', () => {
  it('is searched, narrowed step by step, undone, and comes back by its link', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await driver.read('flame-total', '14,343 samples');

    await driver.type('flame-search', 'numpy');
    await driver.read('flame-matched', /^[\d,]+ · [\d.]+ %$/);
    await driver.click('flame-regex');
    await driver.type('flame-search', '^dimuon_candidates$');
    await driver.read('flame-matched', '2 · 21.8 %');

    await driver.click('flame-transform');
    await driver.type('flame-pattern', 'function=dimuon_candidates@/home/user/analysis/zprime_analysis.py:78');
    await driver.click('flame-focus-frames');
    await driver.read('flame-total', /^3,12\d samples/);
    await driver.read('flame-step', 'Focus dimuon_candidates');
    const link = await driver.address();
    await driver.click('[data-testid="flame-step"] button');
    await driver.read('flame-total', '14,343 samples');
    expect(decodeURIComponent(link)).toContain('focus:function=dimuon_candidates');
  });

  it('is read in a table, a sandwich, a tree and by worker', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await driver.read('flame-total', '14,343 samples');
    await driver.click('flame-mode-functions');
    // your own functions come first
    await driver.read('[data-testid="function-table"] tbody tr.row-button', /zprime_analysis/);
    await driver.click('[data-testid="function-table"] tbody tr.row-button');
    await driver.read('sandwich', /Callers of [\s\S]*Callees of/);
    await driver.click('flame-mode-tree');
    await driver.read('flame-tree', /process/);
    await driver.click('flame-mode-workers');
    await driver.read('flame-workers', /differs by/);
  });

  it('leaves as SVG, folded stacks and functions without anybody’s folders', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1', 'dask_profiles.json.gz')]);
    await driver.read('flame-total', '14,343 samples');
    await driver.click('export');
    await driver.click('export-hide-paths');
    const svg = await driver.save('export-svg');
    expect(svg.name).toMatch(/\.svg$/);
    const picture = new TextDecoder().decode(svg.content);
    expect(picture).toContain('dimuon_candidates (zprime_analysis.py:78)');
    expect(picture).not.toContain('/home/');
    for (const entry of ['export-folded', 'export-functions'] as const) {
      await driver.click('export');
      const { content } = await driver.save(entry);
      const text = new TextDecoder().decode(content);
      expect(text).toContain('dimuon_candidates');
      expect(text).not.toContain('/home/');
    }
  });

  it('shows a profile of another tool in the order of time', async () => {
    const file = join(folder, 'run.speedscope.json');
    const frames = [{ name: 'main' }, { name: 'read', file: 'io.py', line: 3 }, { name: 'sum' }];
    const events = [
      { type: 'O', frame: 0, at: 0 },
      { type: 'O', frame: 1, at: 1 },
      { type: 'C', frame: 1, at: 3 },
      { type: 'O', frame: 2, at: 3 },
      { type: 'C', frame: 2, at: 4 },
      { type: 'O', frame: 1, at: 4 },
      { type: 'C', frame: 1, at: 8 },
      { type: 'C', frame: 0, at: 8 },
    ];
    await writeFile(
      file,
      JSON.stringify({
        $schema: 'https://www.speedscope.app/file-format-schema.json',
        shared: { frames },
        profiles: [{ type: 'evented', name: 'thread', unit: 'seconds', startValue: 0, endValue: 8, events }],
      }),
    );
    await driver.open(host.url);
    await driver.drop([file]);
    await driver.read('flame-total', '8.00 s');
    await driver.click('flame-mode-time');
    await driver.gone('[aria-label*="4 boxes"]');
    expect(await driver.attribute('icicle', 'aria-label')).toContain('5 boxes');
    await driver.click('flame-mode-icicle');
    await driver.gone('[aria-label*="5 boxes"]');
    expect(await driver.attribute('icicle', 'aria-label')).toContain('4 boxes');
  });
});
