/** Firefox, over WebDriver BiDi. */
import puppeteer, { type ElementHandle, type Frame } from 'puppeteer-core';
import { findFirefox } from '../../scripts/browsers.mjs';
import type { Driver } from './driver';
import { byHooks, inputSelector, installHooks } from './hooks';
import { drive, windowSize } from './puppeteer';

const hooksIn = (root: Frame) =>
  byHooks({
    evaluate: (expression) => root.evaluate(expression),
    async give(paths) {
      const input = (await root.waitForSelector(inputSelector)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(...paths);
    },
  });

export async function openFirefox(): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox() ?? '',
    headless: true,
    extraPrefsFirefox: {
      'datareporting.policy.dataSubmissionEnabled': false,
      'app.update.auto': false,
    },
  });
  return drive({
    browser,
    async fresh(before) {
      await before?.browserContext().close();
      const page = await (await browser.createBrowserContext()).newPage();
      await page.setViewport(windowSize);
      await page.evaluateOnNewDocument(installHooks);
      return page;
    },
    drop: (_page, root, paths) => hooksIn(root).drop(paths),
    choose: (_page, root, ask, paths) => hooksIn(root).choose(ask, paths),
    saved: (_page, root, begin) => hooksIn(root).saved(begin),
  });
}
