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

it('slow workers come first, with their reason; a click shows one alone', async () => {
  const { runs } = await core.open(await filesOf('adaptive'));
  const workers = await core.ask('workers', { runs });
  await driver.open(singlePage);
  await driver.drop([pathOf('adaptive')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.key('2');
  await driver.click('switch-workers');
  await driver.read('workers-verdict', String(workers.notes.verdict));
  const slow = Array.from(workers.numbers('slow')).filter((flag) => flag === 1).length;
  expect(slow).toBe(2);
  await expectSoon(() => driver.readAll('slow-worker')).toHaveLength(slow);
  const first = '[data-testid="worker-table"] tbody tr:first-child';
  await driver.read(first, 'port 41219');
  await driver.read(first, 'slow chunks, left while its results were needed');
  await driver.click(`${first} td`);
  await driver.read('chip-worker', /41219/);
});

it('without a task stream nothing is said of what workers did', async () => {
  await driver.open(singlePage);
  await driver.drop([pathOf('scale-4')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.key('2');
  await driver.click('switch-workers');
  await driver.read('workers-verdict', 'too little is recorded of their chunks');
  await expectSoon(() => driver.readAll('slow-worker')).toEqual([]);
});
