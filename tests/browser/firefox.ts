/** Firefox, over WebDriver BiDi. */
import puppeteer, {
  type ElementHandle,
  type Frame,
  type KeyInput,
  type Page,
} from 'puppeteer-core';
import { findFirefox } from '../../scripts/browsers.mjs';
import { type Driver, leavesPage, plainText, selectorOf, type Target } from './driver';
import { contentOf, inputSelector, installHooks, localFiles, type Saved } from './hooks';
import { eventually, eventuallyHolds, laterAddress, patienceMilliseconds } from './patience';

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
  let page: Page;
  let root: Frame;

  const find = async (target: Target): Promise<ElementHandle<HTMLElement>> => {
    const found = await root.waitForSelector(selectorOf(target), { timeout: patienceMilliseconds });
    if (!found) throw new Error(`${target} is not there`);
    return found as ElementHandle<HTMLElement>;
  };
  const boxOf = async (target: Target) => {
    const element = await find(target);
    await element.evaluate((shown) => shown.scrollIntoView({ block: 'nearest' }));
    const box = await element.boundingBox();
    if (!box) throw new Error(`${target} is not shown`);
    return box;
  };
  const click = async (target: Target) => (await find(target)).click();
  const press = async (key: string) => {
    const keys = key.split('+') as KeyInput[];
    for (const held of keys.slice(0, -1)) await page.keyboard.down(held);
    await page.keyboard.press(keys.at(-1) ?? 'Escape');
    for (const held of keys.slice(0, -1)) await page.keyboard.up(held);
  };
  const give = async (paths: string[]) => {
    const input = (await root.waitForSelector(inputSelector)) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(...paths);
  };
  const saved = async (begin: () => Promise<void>) => {
    const before = await root.evaluate('testSaved.length');
    await begin();
    const file = await eventually(
      async () => (await root.evaluate(`testSaved[${before}]`)) as Saved | undefined,
      () => 'nothing was saved',
    );
    return contentOf(file);
  };
  let complaints: string[] = [];
  let requests: string[] = [];

  return {
    browser: await browser.version(),
    async open(url) {
      if (page) await page.browserContext().close();
      const context = await browser.createBrowserContext();
      page = await context.newPage();
      await page.setViewport({ width: 1440, height: 900 });
      page.setDefaultTimeout(patienceMilliseconds);
      complaints = [];
      requests = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('pageerror', (problem) => complaints.push(String(problem)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.evaluateOnNewDocument(installHooks);
      await page.goto(url);
      root = page.mainFrame();
    },
    async within(frame) {
      root = page.mainFrame();
      if (frame) root = (await (await find(frame)).contentFrame()) ?? root;
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
    async drop(paths) {
      const files = localFiles(paths);
      await root.evaluate('testAskForDrop()');
      await give(files.map((file) => file.full));
      await root.evaluate(`testDrop(${JSON.stringify(files)})`);
    },
    async choose(target, paths) {
      await click(target);
      await give(paths);
      await root.evaluate(`document.querySelector('${inputSelector}')?.remove()`);
    },
    click,
    key: press,
    async type(target, text) {
      const element = await find(target);
      await element.focus();
      await press('Control+a');
      await page.keyboard.press('Backspace');
      await element.type(text);
    },
    async select(target, value) {
      const list = await find(target);
      // it may be there before its choices are
      await eventually(
        async () =>
          (await list.evaluate(
            (shown, wanted) =>
              Array.from(shown.querySelectorAll('option')).some(
                (option) => option.value === wanted,
              ),
            value,
          )) || undefined,
        () => `${target} has no ${value}`,
      );
      await list.select(value);
    },
    value: async (target) =>
      (await find(target)).evaluate((element) => element.getAttribute('value') ?? ''),
    async drag(target, from, to) {
      const box = await boxOf(target);
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + from * box.width, y);
      await page.mouse.down();
      await page.mouse.move(box.x + ((from + to) / 2) * box.width, y, { steps: 4 });
      await page.mouse.move(box.x + to * box.width, y, { steps: 4 });
      await page.mouse.up();
    },
    async point(target, across, down, how) {
      const box = await boxOf(target);
      const [x, y] = [box.x + across * box.width, box.y + down * box.height];
      await page.mouse.move(x, y);
      if (how) await page.mouse.click(x, y, { count: how === 'double' ? 2 : 1 });
    },
    async wheel(target, turn, held) {
      const box = await boxOf(target);
      await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height, 200) / 2);
      if (held) await page.keyboard.down(held);
      await page.mouse.wheel({ deltaY: turn });
      if (held) await page.keyboard.up(held);
    },
    read: (target, expected = '') =>
      eventuallyHolds(
        target,
        async () => {
          const text = await root.evaluate(
            (selector) => document.querySelector<HTMLElement>(selector)?.innerText,
            selectorOf(target),
          );
          return text === undefined || text === null ? undefined : plainText(text);
        },
        expected,
      ),
    readAll: async (target) => {
      const texts = await root.$$eval(selectorOf(target), (all) =>
        all.map((element) => (element as HTMLElement).innerText),
      );
      return texts.map(plainText);
    },
    async gone(target) {
      await eventually(
        async () => ((await root.$(selectorOf(target))) ? undefined : true),
        () => `${target} is still there`,
      );
    },
    save: (target) => saved(() => click(target)),
    saveBy: (key) => saved(() => press(key)),
    attribute: async (target, name) =>
      (await find(target)).evaluate((element, wanted) => element.getAttribute(wanted) ?? '', name),
    address: async () => (await page.evaluate(laterAddress)) as string,
    resize: (width, height) => page.setViewport({ width, height }),
    picture: () => page.screenshot(),
    evaluate: (script) => root.evaluate(script),
    requests: async () => requests.filter(leavesPage),
    complaints: async () => complaints,
    close: () => browser.close(),
  };
}
