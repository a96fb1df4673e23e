/** WebKit (its GTK port), over WebDriver. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import {
  Builder,
  Button,
  By,
  Capabilities,
  Key,
  Origin,
  type WebDriver,
  type WebElement,
} from 'selenium-webdriver';
import { findWebKit } from '../../scripts/browsers.mjs';
import { type Driver, leavesPage, plainText, selectorOf, type Target } from './driver';
import { byHooks, inputSelector, installHooks } from './hooks';
import { eventually, eventuallyHolds, laterAddress } from './patience';

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

/** How long a browser may take to start; one that takes longer never does. */
const startMilliseconds = 60_000;

/** A browser by the driver at `port`; undefined when it does not start. */
async function connect(port: number, binary: string): Promise<WebDriver | undefined> {
  const wanted = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  });
  const started = eventually(
    async () => {
      try {
        return await new Builder()
          .usingServer(`http://127.0.0.1:${port}`)
          .withCapabilities(wanted)
          .build();
      } catch {
        return undefined;
      }
    },
    () => 'WebKitWebDriver does not answer',
  );
  started.catch(() => undefined);
  const late = new Promise<undefined>((resolve) =>
    setTimeout(() => resolve(undefined), startMilliseconds),
  );
  return Promise.race([started, late]);
}

export async function openWebKit(): Promise<Driver> {
  const { driver: program, browser: binary } = findWebKit() ?? { driver: '', browser: '' };
  let port = await freePort();
  let server = serve(port, program);
  const stop = () => {
    if (server.pid !== undefined) process.kill(-server.pid);
  };
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
  /**
   * Where it is in the window, once it has come to rest there: answers that arrive move what stands
   * below them.
   */
  const boxOf = async (target: Target) =>
    (await now().executeAsyncScript(
      `const [element, done] = arguments;
      element.scrollIntoView({ block: 'nearest' });
      const box = () => (({ x, y, width, height }) => ({ x, y, width, height }))(element.getBoundingClientRect());
      const rests = (before, frames) => requestAnimationFrame(() => {
        const same = JSON.stringify(box()) === JSON.stringify(before);
        if (same && frames === 2) done(before);
        else rests(box(), same ? frames + 1 : 0);
      });
      rests(box(), 0);`,
      await find(target),
    )) as { x: number; y: number; width: number; height: number };
  /** For actions, which know nothing of frames. */
  const boxInWindow = async (target: Target) => {
    const box = await boxOf(target);
    const frame = `const { x, y } = frameElement?.getBoundingClientRect() ?? { x: 0, y: 0 };
      return { x: x + (frameElement?.clientLeft ?? 0), y: y + (frameElement?.clientTop ?? 0) };`;
    const { x, y } = (await now().executeScript(frame)) as { x: number; y: number };
    return { ...box, x: box.x + x, y: box.y + y };
  };
  const at = (x: number, y: number) => ({
    origin: Origin.VIEWPORT,
    x: Math.round(x),
    y: Math.round(y),
    duration: 0,
  });
  const click = async (target: Target) => {
    await boxOf(target);
    await (await find(target)).click();
  };
  const press = async (key: string) => {
    const parts = key.split('+').map(keyOf);
    let actions = now().actions();
    for (const part of parts) actions = actions.keyDown(part);
    for (const part of parts.toReversed()) actions = actions.keyUp(part);
    await actions.perform();
  };
  const { drop, choose, saved } = byHooks({
    evaluate: (expression) => now().executeScript(`return ${expression}`),
    give: async (paths) => (await find(inputSelector)).sendKeys(paths.join('\n')),
  });
  const resize = async (width: number, height: number) => {
    await now().manage().window().setRect({ x: 0, y: 0, width, height });
    const [innerWidth, innerHeight] = (await now().executeScript(
      'return [innerWidth, innerHeight]',
    )) as [number, number];
    await now()
      .manage()
      .window()
      .setRect({ x: 0, y: 0, width: 2 * width - innerWidth, height: 2 * height - innerHeight });
  };
  return {
    browser: 'WebKit',
    async open(url) {
      // where a test ran out of time, its page may be gone
      await page?.quit().catch(() => undefined);
      page = await connect(port, binary);
      if (!page) {
        stop();
        port = await freePort();
        server = serve(port, program);
        page = await connect(port, binary);
      }
      if (!page) throw new Error('WebKit does not start');
      // a test's own limit is above
      await page.manage().setTimeouts({ script: 100_000 });
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
    drop,
    choose: (target, paths) => choose(() => click(target), paths),
    click,
    key: press,
    async type(target, text) {
      const element = await find(target);
      await element.clear();
      await element.sendKeys(text);
    },
    async select(target, value) {
      const choose = `const [list, value] = arguments;
        if (!Array.from(list.options).some((option) => option.value === value)) return false;
        list.value = value;
        return list.dispatchEvent(new Event('change', { bubbles: true }));`;
      // a list may be there before its choices are
      await eventually(
        async () => (await now().executeScript(choose, await find(target), value)) || undefined,
        () => `${target} has no ${value}`,
      );
    },
    value: async (target) => (await (await find(target)).getAttribute('value')) ?? '',
    async drag(target, from, to) {
      const box = await boxInWindow(target);
      const y = box.y + box.height / 2;
      const steps = 4;
      let actions = now()
        .actions()
        .move(at(box.x + from * box.width, y))
        .press(Button.LEFT);
      for (let step = 1; step <= 2 * steps; step += 1)
        actions = actions.move(
          at(box.x + (from + ((to - from) * step) / (2 * steps)) * box.width, y),
        );
      await actions.release(Button.LEFT).perform();
    },
    async point(target, across, down, how) {
      const box = await boxInWindow(target);
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
      // WebKitWebDriver turns back what it turned, and forgets the key that is held
      await now().executeScript(
        `const [clientX, clientY, deltaY, ctrlKey] = arguments;
        const turned = { clientX, clientY, deltaY, ctrlKey, bubbles: true, cancelable: true, composed: true };
        document.elementFromPoint(clientX, clientY)?.dispatchEvent(new WheelEvent('wheel', turned));`,
        x,
        y,
        turn,
        held === 'Control',
      );
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
      const script =
        'return Array.from(document.querySelectorAll(arguments[0]), (element) => element.innerText)';
      return ((await now().executeScript(script, selectorOf(target))) as string[]).map(plainText);
    },
    async gone(target) {
      await eventually(
        async () =>
          (await now().findElements(By.css(selectorOf(target)))).length > 0 ? undefined : true,
        () => `${target} is still there`,
      );
    },
    save: (target) => saved(() => click(target)),
    saveBy: (key) => saved(() => press(key)),
    attribute: async (target, name) =>
      ((await now().executeScript(
        'return arguments[0].getAttribute(arguments[1])',
        await find(target),
        name,
      )) as string | null) ?? '',
    async address() {
      await now().executeAsyncScript(`${laterAddress}.then(arguments[arguments.length - 1])`);
      return now().getCurrentUrl();
    },
    resize,
    picture: async () => new Uint8Array(Buffer.from(await now().takeScreenshot(), 'base64')),
    evaluate: (script) => {
      // the page's policy forbids eval: statements, which end in "; 0", or else an expression
      // become the script itself
      const [, statements] = /^([\s\S]*);\s*0$/.exec(script) ?? [];
      return now().executeAsyncScript(
        `const done = arguments[arguments.length - 1]; ${statements ? `${statements}; done(0)` : `Promise.resolve(${script}).then(done)`}`,
      );
    },
    async requests() {
      const timed = 'return performance.getEntriesByType("resource").map((one) => one.name)';
      return ((await now().executeScript(timed)) as string[]).filter(leavesPage);
    },
    complaints: async () =>
      ((await page?.executeScript('return window.testComplaints')) as string[] | undefined) ?? [],
    async close() {
      await page?.quit().catch(() => undefined);
      stop();
    },
  };
}
