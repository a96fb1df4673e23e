/**
 * What a mouse on one plain screen does not show: a slow network, fingers, dense screens, two tabs,
 * no network, the clipboard. Only Chromium's own protocol can make all of these.
 */
import type { Browser, BrowserContext, Page, Viewport } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { drop, dropPlace, launchChromium } from './chromium';
import { patienceMilliseconds } from './patience';
import { windowSize } from './puppeteer';
import { dist, serve } from './serve';
import { type Host, hostPage } from './settings';
import { expectSoon } from './soon';

let host: Host;
let browser: Browser;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  host = await hostPage();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await host.close();
});
beforeEach(async () => {
  complaints = [];
  context = await browser.createBrowserContext();
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

async function openTab(screen: Partial<Viewport> = {}) {
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMilliseconds);
  page.on('pageerror', (problem) => complaints.push(String(problem)));
  await page.setViewport({ ...windowSize, ...screen });
  return page;
}

const at = (id: string) => `[data-testid="${id}"]`;
const shown = async (page: Page, selector: string) =>
  (await page.waitForSelector(selector))?.evaluate((element) => (element as HTMLElement).innerText);
const counted = async (page: Page, selector: string) => (await page.$$(selector)).length;
const sample = (name: string, view: string) =>
  `${host.url}#url=${encodeURIComponent(`samples/${name}.zip`)}&view=${view}`;
const chunks = async (page: Page) =>
  Number.parseInt((await shown(page, at('filter-chunks'))) ?? '', 10);

it('what is dropped before the page’s script is there is kept, and read', async () => {
  const page = await openTab();
  let send: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    if (/assets\/index-[^/]*\.js$/.test(request.url())) await sent;
    await request.continue();
  });
  const loaded = page.goto(host.url);
  // a page without its style sheet is not drawn yet, and hears of no drag
  await page.waitForFunction(() => 'takeEarlyDrop' in window && document.styleSheets.length > 0);
  expect(await counted(page, at('drop-zone'))).toBe(0);
  await drop(page, [pathOf('local-4x1')]);
  send();
  await loaded;
  await expectSoon(() => shown(page, at('tile-elapsed'))).toContain('10.5');
  expect(page.url()).toContain(host.url);
});

it('what is dropped where the page changes at this moment is read, and opened in no tab', async () => {
  const page = await openTab();
  await page.goto(host.url);
  await shown(page, at('drop-zone'));
  const beneath = await page.evaluateHandle(
    ({ x, y }) => document.elementFromPoint(x, y) as Element,
    dropPlace,
  );
  await drop(page, [pathOf('local-4x1', 'metrics.json')], async () => {
    expect(await counted(page, at('drop-overlay'))).toBe(1);
    // the browser asks once more before it drops: the place it is told of is gone after that
    await beneath.evaluate((element) => {
      for (const asked of ['dragenter', 'dragover'])
        window.addEventListener(asked, () => element.remove());
    });
  });
  await expectSoon(() => shown(page, at('tile-elapsed'))).toContain('10.5');
  expect(await context.pages()).toEqual([page]);
  await page.click(at('run-chip'));
  await shown(page, at('run-menu'));
});

describe('with fingers', () => {
  /** Fingers at `[x, y]` of the page, as Chromium's protocol has them. */
  async function touches(page: Page) {
    const session = await page.createCDPSession();
    return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: [number, number][]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
      });
  }

  it('a drag over the tracks selects a time, and two fingers zoom', async () => {
    const page = await openTab({ hasTouch: true });
    await page.goto(sample('local-4x1', 'timelines'));
    await page.waitForSelector(at('track-cores'));
    const all = await chunks(page);
    const box = await (await page.waitForSelector(at('tracks')))?.boundingBox();
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
    const page = await openTab({ hasTouch: true });
    await page.goto(sample('local-4x1', 'summary'));
    await page.waitForSelector(at('tile-elapsed'));
    await (await page.waitForSelector(at('run-chip')))?.tap();
    await page.waitForSelector(at('run-menu'));
    await (await page.waitForSelector(at('share-button')))?.tap();
    await page.waitForSelector(at('share'));
    expect(await counted(page, at('run-menu'))).toBe(0);
  });
});

describe('a screen of 2 pixels for each', () => {
  it('is drawn on in its own pixels', async () => {
    const page = await openTab({ deviceScaleFactor: 2 });
    await page.goto(sample('local-4x1', 'flame'));
    await page.waitForSelector(at('icicle'));
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
    const first = await openTab();
    await first.goto(sample('local-4x1', 'summary'));
    await first.waitForSelector(at('tile-elapsed'));
    const second = await openTab();
    await second.goto(sample('before-after', 'flame'));
    await second.waitForSelector(at('icicle'));
    expect(await shown(first, at('run-chip'))).toContain('local-4x1');
    expect(first.url()).toContain('view=summary');
    expect(await shown(second, at('run-chip'))).not.toContain('local-4x1');
  });
});

describe('without a network', () => {
  it('an open page goes on, in views that it has not shown before, too', async () => {
    const page = await openTab();
    await page.goto(sample('local-4x1', 'summary'));
    await page.waitForSelector(at('tile-elapsed'));
    // the views are fetched while nothing else is to do
    await page.waitForFunction(
      (views) =>
        views.every((view) =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes(view)),
        ),
      {},
      ['TimelinesView', 'FlameView'],
    );
    await page.waitForNetworkIdle();
    await page.setOfflineMode(true);
    for (const [key, id] of [
      ['2', 'track-cores'],
      ['4', 'icicle'],
      ['1', 'tile-elapsed'],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForSelector(at(id));
    }
  });
});

it('the hosted page opens again when its server is gone, and reads what is dropped', async () => {
  const server = await serve({ folder: dist });
  const page = await openTab();
  try {
    await page.goto(server.url);
    await page.waitForSelector(at('start'));
    // it is kept once what was wanted first has come
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
  } finally {
    await server.close();
  }
  await page.reload();
  await page.waitForSelector(at('start'));
  await drop(page, [pathOf('local-4x1')]);
  await page.waitForSelector(at('tile-elapsed'));
  await page.keyboard.press('4');
  await page.waitForSelector(at('icicle'));
});

describe('the clipboard', () => {
  it('has the address that is shared', async () => {
    await context.overridePermissions(new URL(host.url).origin, [
      'clipboard-read',
      'clipboard-sanitized-write',
    ]);
    const page = await openTab();
    await page.goto(sample('local-4x1', 'summary'));
    await page.waitForSelector(at('tile-elapsed'));
    await page.locator(at('share-button')).click();
    await page.waitForSelector(at('share'));
    await page.locator(`${at('share')} ${at('copy')}`).click();
    await expectSoon(() => page.evaluate(() => navigator.clipboard.readText())).toContain(
      'local-4x1',
    );
  });

  it('closed to the page, what it would hold can be copied by hand', async () => {
    const page = await openTab();
    await page.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    await page.goto(sample('local-4x1', 'summary'));
    await page.locator(at('menu-findings')).click();
    await page.locator(at('copy-findings')).click();
    const held = await page.waitForSelector(`${at('copy-dialog')} textarea`);
    expect(await held?.evaluate((field) => (field as HTMLTextAreaElement).value)).toContain('\t');
  });
});

describe('closing, then Back', () => {
  it('leaves a page that works: what was closed is asked for again', async () => {
    const page = await openTab();
    await page.goto(sample('local-4x1', 'summary'));
    await page.waitForSelector(at('tile-elapsed'));
    await page.keyboard.press('4');
    await page.waitForSelector(at('icicle'));
    await page.locator(at('run-chip')).click();
    await page.locator('.menu-close').click();
    await page.waitForSelector(at('start'));
    await page.goBack();
    await page.waitForSelector(at('tile-elapsed'));
    expect(page.url()).toContain('local-4x1');
  });
});
