/** What axe-core finds against WCAG 2.2, levels A and AA, and good practice, on every view in both themes: nothing. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { views } from '../support/views';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

/** Two runs with profiles show every view; test:all looks at the others, too. */
const samples = process.env.CREMA_TEST_ALL
  ? ['before-after', 'local-4x1', 'adaptive']
  : ['before-after'];

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** "rule: element" for each violation on the page as it is now. */
async function violations(): Promise<string[]> {
  const source = await readFile(
    createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
    'utf8',
  );
  await driver.evaluate(`${source}; 0`);
  const found = await driver.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(levels)}, resultTypes: ['violations'] }).then((result) =>
      result.violations.flatMap((rule) => rule.nodes.map((node) =>
        rule.id + ': ' + node.html.slice(0, 160) + ' | ' + node.any.concat(node.all, node.none).map((one) => one.message).join(' ').slice(0, 200))))`,
  );
  return found as string[];
}

const still = async () => {
  await settled(driver);
  // A colour that is still on its way is none of the two themes'. To wait for it takes as long as
  // the browser draws frames, which may be for ever: it is brought to its end. One without an end
  // cannot be.
  await driver.evaluate(
    'document.getAnimations().forEach((one) => { try { one.finish(); } catch {} })',
  );
};

for (const theme of ['light', 'dark']) {
  describe(`in the ${theme} theme nothing is found`, () => {
    it('on the start page', async () => {
      await driver.open(`${host.url}#theme=${theme}`);
      await driver.read(`[data-theme="${theme}"] [data-testid="start"]`);
      await still();
      expect(await violations()).toEqual([]);
    });

    describe.each(samples)('%s', (sample) => {
      beforeAll(async () => {
        const url = encodeURIComponent(`samples/${sample}.zip`);
        await driver.open(`${host.url}#url=${url}&theme=${theme}`);
        await driver.read('filter-counts', /chunks/);
      });
      const shown = views.filter(
        ({ id }) => sample === 'before-after' || (id !== 'compare' && id !== 'scaling'),
      );
      it.each(shown)('on $id', async ({ id }) => {
        await driver.evaluate(`location.hash = 'view=${id}&theme=${theme}'; 0`);
        await driver.read(`[data-theme="${theme}"] #view [data-testid="view-${id}"]`);
        await driver.read('#view .panel', /\S/);
        await still();
        expect(await violations()).toEqual([]);
      });
    });

    it('in the dialogs', async () => {
      await driver.open(
        `${host.url}#url=${encodeURIComponent('samples/local-4x1.zip')}&theme=${theme}`,
      );
      await driver.read('tile-elapsed', 's');
      await driver.key('?');
      await driver.read('help-dialog');
      await still();
      expect(await violations()).toEqual([]);
      await driver.key('Escape');
      await driver.click('share-button');
      await driver.read('share');
      await still();
      expect(await violations()).toEqual([]);
    });
  });
}
