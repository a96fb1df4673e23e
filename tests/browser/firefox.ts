/** Firefox, over WebDriver BiDi. */
import puppeteer, { type ElementHandle, type Frame } from 'puppeteer-core';
import { findFirefox } from '../../scripts/browsers.mjs';
import type { Driver } from './driver';
import { contentOf, inputSelector, installHooks, localFiles, type Saved } from './hooks';
import { eventually } from './patience';
import { drive, windowSize } from './puppeteer';

async function give(root: Frame, paths: string[]): Promise<void> {
  const input = (await root.waitForSelector(inputSelector)) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(...paths);
}

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
    async drop(_page, root, paths) {
      const files = localFiles(paths);
      await root.evaluate('testAskForDrop()');
      await give(
        root,
        files.map((file) => file.full),
      );
      await root.evaluate(`testDrop(${JSON.stringify(files)})`);
    },
    async choose(_page, root, ask, paths) {
      await ask();
      await give(root, paths);
      await root.evaluate(`document.querySelector('${inputSelector}')?.remove()`);
    },
    async saved(_page, root, begin) {
      const before = await root.evaluate('testSaved.length');
      await begin();
      const file = await eventually(
        async () => (await root.evaluate(`testSaved[${before}]`)) as Saved | undefined,
        () => 'nothing was saved',
      );
      return contentOf(file);
    },
  });
}
