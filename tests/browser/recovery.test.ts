/**
 * The page goes on, whatever happens to the core: crashes, memory that has run out, openings that
 * overtake each other.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { feedFile } from './feed';
import { breakCore, serveFragile, writeFragile } from './fragile';
import { useScene } from './scene';
import type { Served } from './serve';
import type { Host } from './settings';

let host: Host;
let driver: Driver;
let folder: string;
let fragile: Served;
let fragileFile: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

beforeAll(async () => {
  fragile = await serveFragile();
  fragileFile = await writeFragile(folder);
});
afterAll(() => fragile.close());

for (const [setting, address] of [
  ['hosted', () => fragile.url],
  ['from file:', () => fragileFile],
] as const) {
  describe(setting, () => {
    it('says that the core has stopped, and opens again what was open', async () => {
      await driver.open(address());
      await driver.drop([pathOf('scale-1'), pathOf('scale-2')]);
      await driver.read('view-compare');
      await breakCore(driver, 'trap');
      await driver.key('5');
      await driver.read(
        'lost',
        /scale-1, scale-2 were closed .*The core has stopped \(unreachable\) and was restarted; no file was changed/,
      );
      await driver.click('reopen');
      await driver.gone('lost');
      await driver.click('run-chip');
      await driver.read('run-menu', /scale-1.*scale-2/);
    });

    it('says that the worker has stopped while it was reading, and the next opening works', async () => {
      await driver.open(address());
      await driver.drop([pathOf('local-4x1', 'oracle.json')]);
      await driver.read('error', 'not recognised');
      await breakCore(driver, 'fall');
      await driver.drop([pathOf('scale-1')]);
      await driver.read(
        'error',
        /could not be opened .*The core has stopped \(.*lost its head.*\)/,
      );
      await driver.drop([pathOf('scale-1')]);
      await driver.read('tile-elapsed', /28\.4/);
    });

    it('says that there is not enough memory, and the next opening works', async () => {
      await driver.open(address());
      await driver.drop([pathOf('local-4x1', 'oracle.json')]);
      await driver.read('error', 'not recognised');
      await breakCore(driver, 'full');
      // a string has to be held in memory, here more of it than there is at first
      const path = join(folder, 'metrics.json');
      await writeFile(
        path,
        `{"elapsed_time_seconds": 1, "raw_chunk_metrics": [{"file": "${'a'.repeat(40e6)}"}]}`,
      );
      await driver.drop([path]);
      await driver.read('.content', /there is not enough memory for it/);
      await breakCore(driver, 'roomy');
      await driver.drop([pathOf('scale-1')]);
      await driver.read('tile-elapsed', /28\.4/);
    });
  });
}

describe('openings', () => {
  it('overtake each other: the last one is shown, alone', async () => {
    const feed = await feedFile(pathOf('local-4x1', 'metrics.json'), 'local-4x1/metrics.json');
    try {
      await driver.open(`${host.url}#url=${encodeURIComponent(feed.url)}`);
      await feed.more(100e3);
      await driver.read('progress');
      await driver.drop([pathOf('scale-1')]);
      await driver.read('run-chip', 'scale-1');
      await driver.gone('progress');
      await driver.click('run-chip');
      expect(await driver.read('run-menu')).not.toContain('local-4x1');
    } finally {
      await feed.close();
    }
  });

  // the first ones fill what is kept for ever: code, palettes, caches of a fixed size
  const [settled, cycles] = [5, process.env.CREMA_TEST_ALL ? 50 : 8];

  it(`and closings leave no memory behind: ${cycles} of them`, async (test) => {
    await driver.open(host.url);
    if (!driver.usedHeap) return test.skip(`${driver.browser} tells nobody what a page holds`);
    const heaps: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await driver.drop([pathOf('local-4x1')]);
      await driver.read('tile-elapsed', /1 min 10\.5 s/);
      await driver.click('run-chip');
      await driver.click('.menu-close');
      await driver.read('start');
      heaps.push(await driver.usedHeap());
    }
    const growth = (heaps.at(-1) ?? 0) - (heaps[settled - 1] ?? 0);
    console.log(
      `heap after closing, from cycle ${settled} to ${cycles}: ${(growth / 1e6).toFixed(2)} MB more`,
    );
    expect(growth).toBeLessThan(5e6);
  });
});
