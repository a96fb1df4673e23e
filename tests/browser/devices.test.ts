/**
 * What a mouse on one plain screen does not show: a slow network, fingers, dense screens, two tabs,
 * no network, the clipboard. Only Chromium's own protocol can make all of these.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { drop, launchChromium } from './chromium';
import { patienceMilliseconds } from './patience';
import { type Host, hostPage } from './settings';
import { expectSoon } from './soon';

let host: Host;
let browser: Browser;
let complaints: string[];

beforeAll(async () => {
  host = await hostPage();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await host.close();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  expect(complaints).toEqual([]);
});

async function openContext(options: BrowserContextOptions = {}) {
  complaints = [];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(patienceMilliseconds);
  context.on('page', (page) => {
    page.on('pageerror', (problem) => complaints.push(problem.message));
  });
  return context;
}

const at = (id: string) => `[data-testid="${id}"]`;
const sample = (name: string, view: string) =>
  `${host.url}#url=${encodeURIComponent(`samples/${name}.zip`)}&view=${view}`;
const chunks = async (page: Page) =>
  Number.parseInt(await page.locator(at('filter-chunks')).innerText(), 10);

it('what is dropped before the page’s script is there is kept, and read', async () => {
  const context = await openContext();
  const page = await context.newPage();
  let send: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(/assets\/index-[^/]*\.js$/, async (route) => {
    await sent;
    await route.continue();
  });
  await page.goto(host.url, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'takeEarlyDrop' in window);
  expect(await page.locator(at('drop-zone')).count()).toBe(0);
  await drop(page, [pathOf('local-4x1')]);
  send();
  await page.locator(at('tile-elapsed')).getByText('10.5').waitFor();
  expect(page.url()).toContain(host.url);
});

describe('with fingers', () => {
  /** Fingers at `[x, y]` of the page, as Chromium's protocol has them. */
  async function touches(page: Page) {
    const session = await page.context().newCDPSession(page);
    return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: [number, number][]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
      });
  }

  it('a drag over the tracks selects a time, and two fingers zoom', async () => {
    const context = await openContext({ hasTouch: true });
    const page = await context.newPage();
    await page.goto(sample('local-4x1', 'timelines'));
    await page.locator(at('track-cores')).waitFor();
    const all = await chunks(page);
    const box = await page.locator(at('tracks')).boundingBox();
    if (!box) throw new Error('no tracks');
    const x = (share: number) => box.x + share * box.width;
    const y = box.y + 60;
    const touch = await touches(page);
    await touch('touchStart', [x(0.3), y]);
    await touch('touchMove', [x(0.4), y]);
    await touch('touchMove', [x(0.6), y]);
    await touch('touchEnd');
    await expectSoon(async () => page.url()).toMatch(/select=/);
    await expectSoon(async () => (await chunks(page)) < all).toBe(true);

    await touch('touchStart', [x(0.45), y], [x(0.55), y]);
    await touch('touchMove', [x(0.35), y], [x(0.65), y]);
    await touch('touchMove', [x(0.25), y], [x(0.75), y]);
    await touch('touchEnd');
    await expectSoon(async () => page.url()).toMatch(/[#&]z=/);
  });

  it('taps open views and menus', async () => {
    const context = await openContext({ hasTouch: true });
    const page = await context.newPage();
    await page.goto(sample('local-4x1', 'summary'));
    await page.locator(at('tile-elapsed')).waitFor();
    await page.locator(at('run-chip')).tap();
    await page.locator(at('run-menu')).waitFor();
    await page.locator(at('share-button')).tap();
    await page.locator(at('share')).waitFor();
    expect(await page.locator(at('run-menu')).count()).toBe(0);
  });
});

describe('a screen of 2 pixels for each', () => {
  it('is drawn on in its own pixels', async () => {
    const context = await openContext({ deviceScaleFactor: 2 });
    const page = await context.newPage();
    await page.goto(sample('local-4x1', 'flame'));
    await page.locator(at('icicle')).waitFor();
    const sizes = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('canvas')].map(
          (canvas) => canvas.width / canvas.getBoundingClientRect().width,
        ),
      );
    await expectSoon(async () => (await sizes()).length > 0).toBe(true);
    for (const ratio of await sizes()) expect(ratio).toBeCloseTo(2, 1);
  });
});

describe('two tabs', () => {
  it('have a run and a view each, and one theme', async () => {
    const context = await openContext();
    const first = await context.newPage();
    await first.goto(sample('local-4x1', 'summary'));
    await first.locator(at('tile-elapsed')).waitFor();
    const second = await context.newPage();
    await second.goto(sample('before-after', 'flame'));
    await second.locator(at('icicle')).waitFor();
    expect(await first.locator(at('run-chip')).innerText()).toContain('local-4x1');
    expect(first.url()).toContain('view=summary');
    expect(await second.locator(at('run-chip')).innerText()).not.toContain('local-4x1');
  });
});

describe('without a network', () => {
  it('an open page goes on, in views that it has not shown before, too', async () => {
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(sample('local-4x1', 'summary'));
    await page.locator(at('tile-elapsed')).waitFor();
    // the views are fetched while nothing else is to do
    await page.waitForFunction(
      (views) =>
        views.every((view) =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes(view)),
        ),
      ['TimelinesView', 'FlameView'],
    );
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    for (const [key, id] of [
      ['2', 'track-cores'],
      ['6', 'icicle'],
      ['1', 'tile-elapsed'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(at(id)).waitFor();
    }
  });
});

describe('the clipboard', () => {
  it('has the address that is shared', async () => {
    const context = await openContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(sample('local-4x1', 'summary'));
    await page.locator(at('tile-elapsed')).waitFor();
    await page.locator(at('share-button')).click();
    await page.locator(at('share')).waitFor();
    await page
      .locator(`${at('share')} ${at('copy')}`)
      .first()
      .click();
    await expectSoon(() => page.evaluate(() => navigator.clipboard.readText())).toContain(
      'local-4x1',
    );
  });

  it('closed to the page, what it would hold can be copied by hand', async () => {
    const context = await openContext();
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    const page = await context.newPage();
    await page.goto(sample('local-4x1', 'summary'));
    await page.locator(at('menu-findings')).click();
    await page.locator(at('copy-findings')).click();
    expect(await page.locator(`${at('copy-dialog')} textarea`).inputValue()).toContain('\t');
  });
});

describe('closing, then Back', () => {
  it('leaves a page that works: what was closed is asked for again', async () => {
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(sample('local-4x1', 'summary'));
    await page.locator(at('tile-elapsed')).waitFor();
    await page.keyboard.press('6');
    await page.locator(at('icicle')).waitFor();
    await page.locator(at('run-chip')).click();
    await page.locator('.menu-close').first().click();
    await page.locator(at('start')).waitFor();
    await page.goBack();
    await page.locator(at('tile-elapsed')).waitFor();
    expect(page.url()).toContain('local-4x1');
  });
});
