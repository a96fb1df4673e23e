/** Chromium, over its own protocol. */
import { readFile } from 'node:fs/promises';
import { type Browser, chromium, type FrameLocator, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/browsers.mjs';
import { type Driver, leavesPage, plainText, selectorOf, type Target } from './driver';
import { eventuallyHolds, laterAddress, patienceMilliseconds } from './patience';

/**
 * Each test loads the page anew: compiling the core a second time, for speed, took a third of all
 * that the tests do.
 */
const compiledOnce = '--js-flags=--liftoff-only';

/**
 * Draws without WebGL: a graphics card played by two cores costs more than all else that the tests
 * do.
 */
const usual = [compiledOnce, '--disable-gpu'];

export const openChromium = (): Promise<Driver> => drive(usual);

/** For speedscope, which draws with WebGL. */
export const openChromiumWithWebGL = (): Promise<Driver> =>
  drive(['--use-angle=swiftshader', '--enable-unsafe-swiftshader']);

/** Without a driver, for what only Chromium can do. */
export const launchChromium = (flags = usual): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...flags,
    ],
  });

const usualContext = { viewport: { width: 1440, height: 900 }, acceptDownloads: true };

/**
 * The page as a new one: nothing stored, nobody listening. A page of its own for each test would
 * start a process each, a fifth of all that the tests take.
 */
async function asNew(page: Page, url: string): Promise<Page> {
  page.removeAllListeners();
  await page.goto('about:blank');
  await page.setViewportSize(usualContext.viewport);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: url.startsWith('file:') ? 'file://' : new URL(url).origin,
    storageTypes: 'all',
  });
  await session.detach();
  return page;
}

async function drive(flags: string[]): Promise<Driver> {
  const browser = await launchChromium(flags);
  let page!: Page;
  let complaints: string[] = [];
  let requests: string[] = [];
  let root: Page | FrameLocator;
  const find = (target: Target) => root.locator(selectorOf(target));
  return {
    browser: `Chromium ${browser.version()}`,
    async open(url) {
      page = page
        ? await asNew(page, url)
        : await (await browser.newContext(usualContext)).newPage();
      root = page;
      page.setDefaultTimeout(patienceMilliseconds);
      complaints = [];
      requests = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('pageerror', (problem) => complaints.push(problem.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(url);
    },
    async within(frame) {
      root = frame ? page.frameLocator(selectorOf(frame)) : page;
    },
    async back() {
      await page.goBack();
    },
    async forward() {
      await page.goForward();
    },
    async reload() {
      await page.reload();
    },
    drop: (paths) => drop(page, paths),
    async choose(target, paths) {
      const chooser = page.waitForEvent('filechooser');
      await find(target).click();
      await (await chooser).setFiles(paths);
    },
    click: (target) => find(target).first().click(),
    key: (key) => page.keyboard.press(key),
    type: (target, text) => find(target).fill(text),
    async select(target, value) {
      await find(target).selectOption(value);
    },
    value: async (target) => (await find(target).first().getAttribute('value')) ?? '',
    async drag(target, from, to) {
      const element = find(target).first();
      await element.scrollIntoViewIfNeeded();
      const box = await element.boundingBox();
      if (!box) throw new Error(`${target} is not shown`);
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + from * box.width, y);
      await page.mouse.down();
      await page.mouse.move(box.x + ((from + to) / 2) * box.width, y, { steps: 4 });
      await page.mouse.move(box.x + to * box.width, y, { steps: 4 });
      await page.mouse.up();
    },
    async point(target, across, down, press) {
      const element = find(target).first();
      await element.scrollIntoViewIfNeeded();
      const box = await element.boundingBox();
      if (!box) throw new Error(`${target} is not shown`);
      const [x, y] = [box.x + across * box.width, box.y + down * box.height];
      await page.mouse.move(x, y);
      if (press) await page.mouse.click(x, y, { clickCount: press === 'double' ? 2 : 1 });
    },
    async wheel(target, turn, held) {
      const box = await find(target).first().boundingBox();
      if (!box) throw new Error(`${target} is not shown`);
      await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height, 200) / 2);
      if (held) await page.keyboard.down(held);
      await page.mouse.wheel(0, turn);
      if (held) await page.keyboard.up(held);
    },
    read: (target, expected = '') => {
      const element = find(target).first();
      return eventuallyHolds(target, async () => plainText(await element.innerText()), expected);
    },
    readAll: async (target) => (await find(target).allInnerTexts()).map(plainText),
    gone: (target) => find(target).first().waitFor({ state: 'detached' }),
    async save(target) {
      const started = page.waitForEvent('download', { timeout: patienceMilliseconds });
      await find(target).click();
      const download = await started;
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
    },
    async saveBy(key) {
      const started = page.waitForEvent('download', { timeout: patienceMilliseconds });
      await page.keyboard.press(key);
      const download = await started;
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
    },
    attribute: async (target, name) => (await find(target).first().getAttribute(name)) ?? '',
    address: () => page.evaluate<string>(laterAddress),
    resize: (width, height) => page.setViewportSize({ width, height }),
    picture: () => page.screenshot(),
    evaluate: (script) => page.evaluate(script),
    requests: async () => requests.filter(leavesPage),
    async usedHeap() {
      const session = await page.context().newCDPSession(page);
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
      await session.detach();
      return usedSize;
    },
    complaints: async () => complaints,
    close: () => browser.close(),
  };
}

/**
 * A drag from the file manager, which only the browser's own protocol can make: it brings folders,
 * not only files.
 */
export async function drop(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 640, y: 430, data });
  }
  await session.detach();
}
