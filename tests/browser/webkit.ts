/** WebKit (its GTK port), over WebDriver. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { Builder, Button, By, Capabilities, Key, Origin, type WebDriver, type WebElement } from 'selenium-webdriver';
import { findWebKit } from '../../scripts/browsers.mjs';
import { type Driver, plainText, selectorOf, type Target } from './driver';
import { contentOf, inputSelector, installHooks, localFiles, type Saved } from './hooks';
import { eventually, eventuallyHolds } from './patience';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Keys by the names of `KeyboardEvent.key` where WebDriver's differ. */
const keys: Record<string, string> = {
  Control: Key.CONTROL,
  Shift: Key.SHIFT,
  Alt: Key.ALT,
  Escape: Key.ESCAPE,
  Enter: Key.ENTER,
  Tab: Key.TAB,
  Backspace: Key.BACK_SPACE,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  ArrowDown: Key.ARROW_DOWN,
  Home: Key.HOME,
  End: Key.END,
  PageDown: Key.PAGE_DOWN,
  PageUp: Key.PAGE_UP,
  Space: ' ',
};
const keyOf = (name: string): string => keys[name] ?? name;

/** The driver's own server in a display of its own. */
function serve(port: number, driver: string): ChildProcess {
  return spawn('xvfb-run', ['-a', '-s', '-screen 0 1600x1200x24', driver, `--port=${port}`], {
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    stdio: 'ignore',
    detached: true,
  });
}

async function connect(port: number, binary: string): Promise<WebDriver> {
  const wanted = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  });
  return eventually(
    async () => {
      try {
        return await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(wanted).build();
      } catch {
        return undefined;
      }
    },
    () => 'WebKitWebDriver does not answer',
  );
}

export async function openWebKit(): Promise<Driver> {
  const { driver: program, browser: binary } = findWebKit() ?? { driver: '', browser: '' };
  const port = await freePort();
  const server = serve(port, program);
  let page: WebDriver | undefined;
  const now = (): WebDriver => {
    if (!page) throw new Error('no page is open');
    return page;
  };
  const find = (target: Target): Promise<WebElement> =>
    eventually(
      async () => (await now().findElements(By.css(selectorOf(target))))[0],
      () => `${target} is not there`,
    );
  const placeOf = async (target: Target) => {
    const element = await find(target);
    await now().executeScript('arguments[0].scrollIntoView({ block: "nearest" })', element);
    return element.getRect();
  };
  /** Where on the screen: rectangles are those of the page. */
  const boxOf = async (target: Target) => {
    await placeOf(target);
    return (await now().executeScript(
      'const box = arguments[0].getBoundingClientRect(); return { x: box.x, y: box.y, width: box.width, height: box.height }',
      await find(target),
    )) as { x: number; y: number; width: number; height: number };
  };
  const at = (x: number, y: number) => ({ origin: Origin.VIEWPORT, x: Math.round(x), y: Math.round(y), duration: 0 });
  const click = async (target: Target) => {
    await placeOf(target);
    await (await find(target)).click();
  };
  const press = async (key: string) => {
    const parts = key.split('+').map(keyOf);
    let actions = now().actions();
    for (const part of parts) actions = actions.keyDown(part);
    for (const part of parts.toReversed()) actions = actions.keyUp(part);
    await actions.perform();
  };
  const give = async (paths: string[]) => (await find(inputSelector)).sendKeys(paths.join('\n'));
  const saved = async (begin: () => Promise<void>) => {
    const before = await now().executeScript('return testSaved.length');
    await begin();
    const file = await eventually(
      async () => ((await now().executeScript(`return testSaved[${before}] ?? null`)) as Saved | null) ?? undefined,
      () => 'nothing was saved',
    );
    return contentOf(file);
  };
  const resize = async (width: number, height: number) => {
    await now().manage().window().setRect({ x: 0, y: 0, width, height });
    const [innerWidth, innerHeight] = (await now().executeScript('return [innerWidth, innerHeight]')) as [
      number,
      number,
    ];
    await now()
      .manage()
      .window()
      .setRect({ x: 0, y: 0, width: 2 * width - innerWidth, height: 2 * height - innerHeight });
  };
  return {
    browser: 'WebKit',
    async open(url) {
      await page?.quit();
      page = await connect(port, binary);
      await resize(1440, 900);
      await page.get(url);
      await page.executeScript(installHooks);
    },
    async within(frame) {
      await now().switchTo().defaultContent();
      if (!frame) return;
      await now()
        .switchTo()
        .frame(await find(frame));
      await now().executeScript(installHooks);
    },
    back: () => now().navigate().back(),
    forward: () => now().navigate().forward(),
    async reload() {
      await now().navigate().refresh();
      await now().executeScript(installHooks);
    },
    async drop(paths) {
      const files = localFiles(paths);
      await now().executeScript('testAskForDrop()');
      await give(files.map((file) => file.full));
      await now().executeScript(`testDrop(${JSON.stringify(files.map((file) => file.relative))})`);
    },
    async choose(target, paths) {
      await click(target);
      await give(paths);
      await now().executeScript(`document.querySelector('${inputSelector}')?.remove()`);
    },
    click,
    key: press,
    async type(target, text) {
      const element = await find(target);
      await element.clear();
      await element.sendKeys(text);
    },
    async select(target, value) {
      await now().executeScript(
        'arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event("change", { bubbles: true }))',
        await find(target),
        value,
      );
    },
    value: async (target) => (await (await find(target)).getAttribute('value')) ?? '',
    async drag(target, from, to) {
      const box = await boxOf(target);
      const y = box.y + box.height / 2;
      const steps = 4;
      let actions = now()
        .actions()
        .move(at(box.x + from * box.width, y))
        .press(Button.LEFT);
      for (let step = 1; step <= 2 * steps; step += 1)
        actions = actions.move(at(box.x + (from + ((to - from) * step) / (2 * steps)) * box.width, y));
      await actions.release(Button.LEFT).perform();
    },
    async point(target, across, down, how) {
      const box = await boxOf(target);
      let actions = now()
        .actions()
        .move(at(box.x + across * box.width, box.y + down * box.height));
      for (let times = how === 'double' ? 2 : how ? 1 : 0; times > 0; times -= 1)
        actions = actions.press(Button.LEFT).release(Button.LEFT);
      await actions.perform();
    },
    async wheel(target, turn, held) {
      const box = await boxOf(target);
      const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, 200) / 2];
      let actions = now().actions();
      if (held) actions = actions.keyDown(keyOf(held));
      // the typings lack it
      (actions as unknown as { scroll: (...of: unknown[]) => void }).scroll(
        Math.round(x),
        Math.round(y),
        0,
        turn,
        'viewport',
      );
      if (held) actions = actions.keyUp(keyOf(held));
      await actions.perform();
    },
    read: (target, expected = '') =>
      eventuallyHolds(
        target,
        async () => {
          const text = await now().executeScript(
            'return document.querySelector(arguments[0])?.innerText',
            selectorOf(target),
          );
          return typeof text === 'string' ? plainText(text) : undefined;
        },
        expected,
      ),
    readAll: async (target) => {
      const script = 'return Array.from(document.querySelectorAll(arguments[0]), (element) => element.innerText)';
      return ((await now().executeScript(script, selectorOf(target))) as string[]).map(plainText);
    },
    async gone(target) {
      await eventually(
        async () => ((await now().findElements(By.css(selectorOf(target)))).length > 0 ? undefined : true),
        () => `${target} is still there`,
      );
    },
    save: (target) => saved(() => click(target)),
    saveBy: (key) => saved(() => press(key)),
    attribute: async (target, name) =>
      ((await now().executeScript('return arguments[0].getAttribute(arguments[1])', await find(target), name)) as
        | string
        | null) ?? '',
    // the page writes it at most every 300 ms (usePermalink.ts)
    async address() {
      await new Promise((resolve) => setTimeout(resolve, 350));
      return now().getCurrentUrl();
    },
    resize,
    picture: async () => new Uint8Array(Buffer.from(await now().takeScreenshot(), 'base64')),
    evaluate: (script) => {
      // the page's policy forbids eval: statements, which end in "; 0", or else an expression become the script itself
      const [, statements] = /^([\s\S]*);\s*0$/.exec(script) ?? [];
      return now().executeAsyncScript(
        `const done = arguments[arguments.length - 1]; ${statements ? `${statements}; done(0)` : `Promise.resolve(${script}).then(done)`}`,
      );
    },
    complaints: async () => (await page?.executeScript('return window.testComplaints ?? []')) as string[],
    async close() {
      await page?.quit();
      if (server.pid !== undefined) process.kill(-server.pid);
    },
  };
}
