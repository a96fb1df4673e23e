/** Chromium and Firefox, driven by one library: what differs between them is an `Engine`. */
import type { Browser, ElementHandle, Frame, KeyInput, Page } from 'puppeteer-core';
import { type Driver, leavesPage, plainText, selectorOf, type Target } from './driver';
import { eventually, eventuallyHolds, laterAddress, patienceMilliseconds } from './patience';

export type SavedFile = { name: string; content: Uint8Array };

/** What each browser's own protocol does in its own way. */
export interface Engine {
  browser: Browser;
  /** A page that remembers nothing; `before` is the one before it, if there was one. */
  fresh(before: Page | undefined, url: string): Promise<Page>;
  drop(page: Page, root: Frame, paths: string[]): Promise<void>;
  /** Chooses these files when `ask` has asked for some. */
  choose(page: Page, root: Frame, ask: () => Promise<void>, paths: string[]): Promise<void>;
  /** The file that `begin` saves. */
  saved(page: Page, root: Frame, begin: () => Promise<void>): Promise<SavedFile>;
  usedHeap?(page: Page): Promise<number>;
}

export const windowSize = { width: 1440, height: 900 };

export async function drive(engine: Engine): Promise<Driver> {
  const { browser } = engine;
  let page: Page | undefined;
  let root!: Frame;
  let complaints: string[] = [];
  let requests: string[] = [];

  const now = (): Page => {
    if (!page) throw new Error('no page is open');
    return page;
  };
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
  /** Where it is when it rests: answers that arrive move what stands below them. */
  const click = (target: Target) =>
    root.locator(selectorOf(target)).setTimeout(patienceMilliseconds).click();
  const press = async (key: string) => {
    const { keyboard } = now();
    const keys = key.split('+') as KeyInput[];
    for (const held of keys.slice(0, -1)) await keyboard.down(held);
    await keyboard.press(keys.at(-1) ?? 'Escape');
    for (const held of keys.slice(0, -1)) await keyboard.up(held);
  };
  const listen = (to: Page) => {
    to.setDefaultTimeout(patienceMilliseconds);
    to.on('request', (request) => requests.push(request.url()));
    to.on('pageerror', (problem) => complaints.push(String(problem)));
    to.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  };
  const { usedHeap } = engine;

  return {
    browser: await browser.version(),
    async open(url) {
      const before = page;
      page = await engine.fresh(before, url);
      if (page !== before) listen(page);
      complaints = [];
      requests = [];
      await page.goto(url);
      root = page.mainFrame();
    },
    async within(frame) {
      root = now().mainFrame();
      if (frame) root = (await (await find(frame)).contentFrame()) ?? root;
    },
    async back() {
      await now().goBack();
    },
    async forward() {
      await now().goForward();
    },
    async reload() {
      await now().reload();
    },
    drop: (paths) => engine.drop(now(), root, paths),
    choose: (target, paths) => engine.choose(now(), root, () => click(target), paths),
    click,
    key: press,
    type: (target, text) =>
      root.locator(selectorOf(target)).setTimeout(patienceMilliseconds).fill(text),
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
      const { mouse } = now();
      const box = await boxOf(target);
      const y = box.y + box.height / 2;
      await mouse.move(box.x + from * box.width, y);
      await mouse.down();
      await mouse.move(box.x + ((from + to) / 2) * box.width, y, { steps: 4 });
      await mouse.move(box.x + to * box.width, y, { steps: 4 });
      await mouse.up();
    },
    async point(target, across, down, how) {
      const { mouse } = now();
      const box = await boxOf(target);
      const [x, y] = [box.x + across * box.width, box.y + down * box.height];
      await mouse.move(x, y);
      if (how) await mouse.click(x, y, { count: how === 'double' ? 2 : 1 });
    },
    async wheel(target, turn, held) {
      const { mouse, keyboard } = now();
      const box = await boxOf(target);
      await mouse.move(box.x + box.width / 2, box.y + Math.min(box.height, 200) / 2);
      if (held) await keyboard.down(held);
      await mouse.wheel({ deltaY: turn });
      if (held) await keyboard.up(held);
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
    save: (target) => engine.saved(now(), root, () => click(target)),
    saveBy: (key) => engine.saved(now(), root, () => press(key)),
    attribute: async (target, name) =>
      (await find(target)).evaluate((element, wanted) => element.getAttribute(wanted) ?? '', name),
    address: async () => (await now().evaluate(laterAddress)) as string,
    resize: (width, height) => now().setViewport({ width, height }),
    picture: () => now().screenshot(),
    evaluate: (script) => root.evaluate(script),
    requests: async () => requests.filter(leavesPage),
    complaints: async () => complaints,
    ...(usedHeap && { usedHeap: () => usedHeap(now()) }),
    close: () => browser.close(),
  };
}
