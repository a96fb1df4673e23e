/**
 * What a user does with a run: reads it, narrows it, looks into its profiles and takes them
 * elsewhere.
 */
import { describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { openChromiumWithWebGL } from './chromium';
import type { Driver } from './driver';
import { useScene } from './scene';
import { type Host, singlePage } from './settings';
import { expectSoon, settled } from './soon';
import { type SpeedscopeFile, sandwichRows, serveSpeedscope, shownRow } from './speedscope';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

for (const [setting, address] of [
  ['hosted', () => host.url],
  ['from file:', () => singlePage],
] as const) {
  describe(`a run, ${setting}`, () => {
    it('is dropped and read, narrowed to a range, and its profiles leave for speedscope', async () => {
      await driver.open(address());
      await driver.drop([pathOf('local-4x1')]);

      await driver.read('tile-elapsed', '1 min 10.5 s');
      await driver.read('tile-event-rate', '30.4 kHz 2.14 M events');
      await driver.read('all-numbers', 'values');
      await driver.evaluate(`document.querySelector('[data-testid="all-numbers"]').open = true`);
      await driver.read('summary-row-num_chunks', '214');
      await driver.read('summary-row-peak_workers', '4');
      await driver.read('filter-chunks', /^214/);

      await driver.key('2');
      await driver.read('track-cores');
      await settled(driver);
      await driver.drag('track-cores', 0.25, 0.5);
      const range = await driver.read('chip-time', /Time [\d.]+–[\d.]+ s ✕/);
      const [begin = 0, end = 0] = (range.match(/[\d.]+/g) ?? []).map(Number);
      expect(end - begin).toBeGreaterThan(10);
      expect(end - begin).toBeLessThan(30);
      await driver.read('selection-text', /^Selection [12]\d\.\d s mean/);
      const narrowed = await driver.read('filter-chunks', /^(?!214)\d+/);
      expect(Number.parseInt(narrowed, 10)).toBeLessThan(214);
      await driver.key('Escape');
      await driver.read('filter-chunks', /^214/);

      await driver.click('tab-flame');
      await driver.read('flame-total', '14,343 samples');
      await driver.click('profile-select');
      await driver.click('.menu-row + .menu-row > [data-testid="profile-option"]');
      const shown = await driver.read('flame-total', /^(?!14,343)[\d,]+ samples/);
      const total = Number(shown.replace(/[^\d]/g, ''));

      // self times that are shared out have fractions, which the viewer rounds
      await driver.select('flame-leaves', 'forced');
      await driver.click('export');
      const { name, content } = await driver.save('export-speedscope-one');
      expect(name).toMatch(/\.speedscope\.json$/);
      const file = JSON.parse(new TextDecoder().decode(content)) as SpeedscopeFile;
      expect(file.profiles).toHaveLength(1);
      expect(file.profiles[0]?.weights.reduce((sum, weight) => sum + weight, 0)).toBe(total);

      const viewer = await serveSpeedscope(content);
      const beside = await openChromiumWithWebGL();
      try {
        await beside.open(viewer.url);
        await beside.read('body > div', '%)');
        const expected = sandwichRows(
          file,
          file.profiles[0] ?? { name: '', samples: [], weights: [] },
        );
        const rows = async () =>
          (await beside.readAll('table tr')).flatMap((row) => shownRow(row) ?? []);
        await expectSoon(async () => (await rows()).length).toBeGreaterThan(20);
        await expectSoon(async () => (await rows()).filter((row) => !expected.has(row))).toEqual(
          [],
        );
      } finally {
        await beside.close();
        await viewer.close();
      }
    });
  });
}
