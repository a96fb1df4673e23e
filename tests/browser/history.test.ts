/** Since when it is slower: a folder of digests, ten nightly runs of which the last four are. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { season, seasonWithOutlier, writeSeason } from '../support/season';
import type { Driver } from './driver';
import { useScene } from './scene';
import { dist, serve } from './serve';
import { singlePage } from './settings';
import { expectSoon } from './soon';

let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ driver } = scene);
});

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'crema-')), 'history');
  await writeSeason(folder);
});
afterAll(() => rm(folder, { recursive: true }));

it('a folder of digests opens in History, which says what changed, where, and what is new since', async () => {
  await driver.open(singlePage);
  await driver.drop([folder]);
  await driver.read(
    'history-verdict',
    /^Process time per million events rose by 19.7 % at run-6 \(2025-10-15\).*commit a1 → b2/,
  );
  await driver.read('history-found', /first run after: run-6/);
  // text of a picture
  const change = `document.querySelector('[data-testid="history-change"]').textContent`;
  await expectSoon(() => driver.evaluate(change)).toMatch(/^\+19.7/);
  await expectSoon(() => driver.readAll('[data-testid="history-table"] tbody tr')).toHaveLength(10);
  // digests hold no chunks to compare
  expect(
    await driver.evaluate(`document.querySelector('[data-testid="history-compare"]').disabled`),
  ).toBe(true);
});

it('a run that is far from the others is named and marked, and is no change', async () => {
  const once = `${folder}-once`;
  await writeSeason(once, seasonWithOutlier);
  try {
    await driver.open(singlePage);
    await driver.drop([once]);
    await driver.read(
      'history-verdict',
      /^Run 5 \(run-4\) is an outlier.*9 runs are too few to find a lasting change: 10 are needed\. run-4 \(2025-10-13\) is an outlier: Process time per million events \S+ core-s, 30\d.* above its level/s,
    );
    const mark = `document.querySelector('[data-testid="history-outlier"]')?.textContent`;
    await expectSoon(() => driver.evaluate(mark)).toMatch(/^[\d.,]+\score-s$/);
    expect(await driver.readAll('[data-testid="history-found"]')).toHaveLength(0);
  } finally {
    await rm(once, { recursive: true });
  }
  await driver.open(singlePage);
  await driver.drop([folder]);
  await driver.read('history-verdict');
});

it('what a digest does not hold is said, and where to go', async () => {
  await driver.key('1');
  await driver.read('digest', /is a digest/);
  await driver.key('6');
  await driver.read('view-history');
});

it('a note in a digest leads to what of its run it was written about', async () => {
  await driver.read('history-run-note', /^slow disks$/);
  await driver.click('history-run-note');
  await driver.read('digest', /run-8 is a digest/);
  const shown = `new URLSearchParams(location.hash.slice(1)).get('view')`;
  await expectSoon(() => driver.evaluate(shown)).toBe('timelines');
  await driver.key('6');
  await driver.read('view-history');
});

it('a note on a change is in the link, and leads to where it was written', async () => {
  await driver.click('history-note');
  const field = `document.querySelector('[data-testid="annotation-text"]').value`;
  await expectSoon(() => driver.evaluate(field)).toBe('run-6, 2025-10-15: ');
  await driver.type('annotation-text', 'run-6, 2025-10-15: the new filter');
  await driver.click('annotation-add');
  await driver.key('Escape');
  await driver.read('annotation', /^Note.*run-6, 2025-10-15: the new filter/);
  const note = `new URLSearchParams(location.hash.slice(1)).get('note')`;
  await expectSoon(() => driver.evaluate(note)).toMatch(
    /^#v=2&\S*view=runs\S* run-6, 2025-10-15: the new filter$/,
  );
  await driver.key('1');
  await driver.click('annotation-show');
  await driver.read('view-history');
  await driver.click('annotation-remove');
  expect(await driver.readAll('[data-testid="annotation"]')).toHaveLength(0);
});

it('of fewer than three runs it says what a history takes', async () => {
  await driver.open(singlePage);
  await driver.drop([pathOf('local-4x1')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.key('6');
  await driver.read('scaling-invitation', 'Drop two runs to compare them');
});

it('the page beside a folder of digests with an index is the dashboard of an analysis', async () => {
  const pages = Object.fromEntries([...season].map(([name, text]) => [`/history/${name}`, text]));
  pages['/history/index.json'] = JSON.stringify([...season.keys()]);
  const site = await serve({ folder: dist, pages });
  try {
    await driver.open(`${site.url}index.html#url=history/`);
    await driver.read(
      'history-verdict',
      /^Process time per million events rose by 19.7 % at run-6/,
    );
    expect(await driver.readAll('[data-testid="history-table"] tbody tr')).toHaveLength(10);
  } finally {
    await site.close();
  }
});

it('the Summary of a run asks nothing of the digests beside it, and says what if all the same', async () => {
  await driver.open(singlePage);
  await driver.evaluate(`(() => {
    window.asked = [];
    const own = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.type === 'ask') window.asked.push(message);
      own.call(this, message, ...rest);
    };
    return 0;
  })()`);
  await driver.drop([folder]);
  await driver.read('history-verdict');
  await driver.evaluate('window.asked = []; 0');
  await driver.drop([pathOf('scale-1')]);
  await driver.key('1');
  await driver.read('whatif-1', /\d/);
  const of = `window.asked.filter(({ question }) => question === 'summary').map(({ options }) => options.runs)`;
  expect(await driver.evaluate(of)).toHaveLength(1);
});
