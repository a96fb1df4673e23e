/** Which worker was unlike the others: what the view says is what the core says. */
import { beforeAll, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import { createNodeEngine } from '../../web/engine/node';
import { bundle as filesOf, pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import { singlePage } from './settings';
import { expectSoon } from './soon';

let driver: Driver;
let core: CoreEngine;

useScene((scene) => {
  ({ driver } = scene);
});
beforeAll(async () => {
  core = await createNodeEngine();
});

const rows = '[data-testid="worker-table"] tbody tr';

it('a row for each worker has its numbers, by which rows are sorted; a click shows one alone', async () => {
  const { runs } = await core.open(await filesOf('adaptive'));
  const workers = await core.ask('workers', { runs });
  await driver.open(singlePage);
  await driver.drop([pathOf('adaptive')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.key('2');
  await driver.read('timelines-verdict', String(workers.notes.verdict));
  const slow = Array.from(workers.numbers('slow')).filter((flag) => flag === 1).length;
  expect(slow).toBe(2);
  await expectSoon(() => driver.readAll('slow-worker')).toHaveLength(slow);
  // in the order in which they joined, then the slowest first
  await expectSoon(() => driver.readAll(rows)).toHaveLength(workers.rows);
  await driver.read(`${rows}:first-child`, '0.984 47.3 % 285 160 41');
  await driver.click('sort-times_others');
  await driver.read(`${rows}:first-child`, '3.14');
  await driver.read('worker-names', /^worker :44179/);
  await driver.click('.worker-name');
  await driver.read('chip-worker', /44179/);
});

it('without a task stream a row shows when a worker was there, and nothing of what it did', async () => {
  await driver.open(singlePage);
  await driver.drop([pathOf('scale-4')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.key('2');
  await driver.read('timelines-verdict', 'too little is recorded of their chunks');
  await driver.read('track-workers', 'when they were there');
  await expectSoon(() => driver.readAll(rows)).toHaveLength(4);
  await expectSoon(() => driver.readAll('slow-worker')).toEqual([]);
});
