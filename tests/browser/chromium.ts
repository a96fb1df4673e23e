/** Chromium, over its own protocol. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer-core';
import { findChromium } from '../../scripts/browsers.mjs';
import type { Driver } from './driver';
import { eventually } from './patience';
import { drive, type SavedFile, windowSize } from './puppeteer';

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

export const openChromium = (): Promise<Driver> => open(usual);

/** For speedscope, which draws with WebGL. */
export const openChromiumWithWebGL = (): Promise<Driver> =>
  open(['--use-angle=swiftshader', '--enable-unsafe-swiftshader']);

/** Without a driver, for what only Chromium can do. */
export const launchChromium = (flags = usual): Promise<Browser> =>
  puppeteer.launch({
    executablePath: findChromium() ?? '',
    headless: true,
    defaultViewport: windowSize,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...flags,
    ],
  });

/** `use` with Chromium's own protocol. */
async function byProtocol<T>(page: Page, use: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await page.createCDPSession();
  try {
    return await use(session);
  } finally {
    await session.detach();
  }
}

/**
 * The page as a new one: nothing stored. A page of its own for each test would start a process
 * each, a fifth of all that the tests take.
 */
async function asNew(page: Page, url: string): Promise<Page> {
  await page.goto('about:blank');
  await page.setViewport(windowSize);
  await byProtocol(page, (session) =>
    session.send('Storage.clearDataForOrigin', {
      origin: url.startsWith('file:') ? 'file://' : new URL(url).origin,
      storageTypes: 'all',
    }),
  );
  return page;
}

async function open(flags: string[]): Promise<Driver> {
  const browser = await launchChromium(flags);
  const downloads = mkdtempSync(join(tmpdir(), 'crema-downloads-'));
  const driver = await drive({
    browser,
    async fresh(before, url) {
      if (before) return asNew(before, url);
      const downloadBehavior = { policy: 'allow', downloadPath: downloads } as const;
      return (await browser.createBrowserContext({ downloadBehavior })).newPage();
    },
    drop: (page, _root, paths) => drop(page, paths),
    async choose(page, _root, ask, paths) {
      const [chooser] = await Promise.all([page.waitForFileChooser(), ask()]);
      await chooser.accept(paths);
    },
    async saved(_page, _root, begin) {
      await begin();
      return eventually(
        async () => savedIn(downloads),
        () => 'nothing was saved',
      );
    },
    usedHeap: (page) =>
      byProtocol(page, async (session) => {
        await session.send('HeapProfiler.collectGarbage');
        return (await session.send('Runtime.getHeapUsage')).usedSize;
      }),
  });
  return {
    ...driver,
    async close() {
      await driver.close();
      rmSync(downloads, { recursive: true });
    },
  };
}

/**
 * The file that was saved in `folder`, which is then empty again. While one comes its name is kept
 * for it by an empty file, and it has another name.
 */
function savedIn(folder: string): SavedFile | undefined {
  const [name, ...others] = readdirSync(folder);
  if (name === undefined || others.length > 0 || name.endsWith('.crdownload')) return undefined;
  const content = readFileSync(join(folder, name));
  if (content.length === 0) return undefined;
  rmSync(join(folder, name));
  return { name, content };
}

export const dropPlace = { x: 640, y: 430 };

/**
 * A drag from the file manager, which only the browser's own protocol can make: it brings folders,
 * not only files. `before` is done before they are let go.
 */
export const drop = (page: Page, paths: string[], before?: () => Promise<void>): Promise<void> =>
  byProtocol(page, async (session) => {
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      if (type === 'drop') await before?.();
      await session.send('Input.dispatchDragEvent', { type, ...dropPlace, data });
    }
  });
