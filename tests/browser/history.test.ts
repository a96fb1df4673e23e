/** Since when it is slower: a folder of digests, ten nightly runs of which the last four are. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import { singlePage } from './settings';
import { expectSoon } from './soon';

let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ driver } = scene);
});

/** A million events a run: 100 s and, from the seventh on, 120 s, give and take 1 %. */
const secondsOf = (day: number) => (day < 6 ? 100 : 120) * (1 + 0.01 * (((day * 2) % 3) - 1));

const digestOf = (day: number) => ({
  crema_digest: 1,
  started_at: 1.76e9 + 86400 * day,
  labels: { processor: 'Zprime', commit: day < 6 ? 'a1' : 'b2' },
  answers: [
    {
      question: 'summary',
      columns: [
        { name: 'id', type: 'text', values: ['total_events', 'total_cpu_time'] },
        { name: 'label', type: 'text', values: ['Events', 'Process time'] },
        { name: 'value', type: 'number', values: [1e6, secondsOf(day)] },
        { name: 'unit', type: 'text', values: ['count', 's'] },
        { name: 'better', type: 'text', values: [null, 'lower'] },
      ],
    },
  ],
});

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'crema-')), 'history');
  await mkdir(folder);
  for (let day = 0; day < 10; day += 1)
    await writeFile(join(folder, `run-${day}.digest.json`), JSON.stringify(digestOf(day)));
});
afterAll(() => rm(folder, { recursive: true }));

it('a folder of digests opens in History, which says what changed, where, and what is new since', async () => {
  await driver.open(singlePage);
  await driver.drop([folder]);
  await driver.read(
    'history-verdict',
    /^Process time per million events rose by 19.7 % at run-6 \(2025-10-15\).*commit a1 → b2/,
  );
  await driver.read('history-found', /first after: run-6/);
  // text of a picture
  const change = `document.querySelector('[data-testid="history-change"]').textContent`;
  await expectSoon(() => driver.evaluate(change)).toMatch(/^\+19.7/);
  await expectSoon(() => driver.readAll('[data-testid="history-table"] tbody tr')).toHaveLength(10);
  // digests hold no chunks to compare
  expect(
    await driver.evaluate(`document.querySelector('[data-testid="history-compare"]').disabled`),
  ).toBe(true);
});

it('what a digest does not hold is said, and where to go', async () => {
  await driver.key('1');
  await driver.read('digest', /is a digest/);
  await driver.key('h');
  await driver.read('view-history');
});

it('of fewer than three runs it says what a history takes', async () => {
  await driver.open(singlePage);
  await driver.drop([pathOf('local-4x1')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.key('h');
  await driver.read('history-invitation', /one is open/);
});
