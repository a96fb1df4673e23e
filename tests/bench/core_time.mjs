// Core-time of a large run: from a key, a click or the end of a drag until its frame, and the
// script in it; and how long after the numbers in the tiles of a small run its tree is drawn.
//
// "Until its frame" is the second animation frame after the last change of the tree and of every
// panel that waits for an answer.
import { join } from 'node:path';
import { writeMetrics } from './generate.mjs';
import { boxOf, chooseFiles, inChromium, newPage, pause, scriptClock } from './in_chromium.mjs';
import { median } from './numbers.mjs';
import { writeDaskTree } from './profiles.mjs';

const repeats = 5;
const nodes = 500_000;
const shape = { workers: 300, ticks: 1500, chunks: 100_000, compact: true };
/** How long nothing must change for all to be there [ms]. */
const quiet = 600;

/** From the event `type` that `act` causes until the tree and what else waits change no more. */
async function settling(page, type, act) {
  const script = await scriptClock(page);
  await page.evaluate((name) => {
    globalThis.bench = { frames: 0 };
    const changed = () => {
      bench.frames += bench.awaited ? 0 : 1;
      bench.awaited = true;
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          bench.awaited = false;
          bench.last = performance.now();
        }),
      );
    };
    bench.observer = new MutationObserver(changed);
    bench.observer.observe(document.querySelector('[data-testid=budget]'), {
      subtree: true,
      childList: true,
      attributes: true,
    });
    addEventListener(name, () => (bench.start = bench.last = performance.now()), {
      capture: true,
      once: true,
    });
  }, type);
  const before = await script.now();
  await act();
  const { took, frames } = await page.evaluate(async (milliseconds) => {
    while (performance.now() - bench.last < milliseconds) await new Promise(requestAnimationFrame);
    bench.observer.disconnect();
    return { took: bench.last - bench.start, frames: bench.frames };
  }, quiet);
  const scripted = (await script.now()) - before;
  await script.detach();
  return { took, script: scripted / Math.max(1, frames) };
}

async function open(browser, url, files) {
  const page = await newPage(browser);
  await page.goto(url);
  await pause(1000);
  await chooseFiles(page, files);
  await page.waitForSelector('[data-testid=core-time-tree] .ct-row-2');
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
  await pause(quiet);
  return page;
}

/** [ms] between the numbers in the tiles of local-4x1 and its tree. */
async function behindTiles(browser, url) {
  const before = () => {
    globalThis.bench = {};
    const look = () => {
      const now = performance.now();
      const tile = document.querySelector('[data-testid=tile-elapsed] .tile-value');
      if (/\d/.test(tile?.textContent ?? '')) bench.tiles ??= now;
      if (document.querySelector('[data-testid=core-time-tree] .ct-row-2')) bench.tree ??= now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
  const page = await newPage(browser, { before });
  await page.goto(`${url}#url=samples/local-4x1.zip`);
  await page.waitForFunction(() => bench.tree !== undefined && bench.tiles !== undefined);
  const behind = await page.evaluate(() => bench.tree - bench.tiles);
  await page.close();
  return behind;
}

/** The figures of this bench: rows of { name, ours, unit }. */
export const coreTime = () =>
  inChromium(async ({ url, browser, folder }) => {
    const files = ['metrics.json', 'profile.json'].map((name) => join(folder, name));
    await writeMetrics(files[0], shape);
    writeDaskTree(files[1], { nodes, main: 'process' });
    const behind = [];
    for (let i = 0; i < repeats; i += 1) behind.push(await behindTiles(browser, url));
    const page = await open(browser, url, files);
    const found = { unfold: [], switch: [], brush: [] };
    for (let i = 0; i < repeats; i += 1) {
      await page.focus('[data-testid=core-time-tree]');
      for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
      found.unfold.push(await settling(page, 'keydown', () => page.keyboard.press('Enter')));
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await pause(quiet);
      for (const name of ['Datasets', 'Own functions']) {
        // by the mouse: to look for the button is script, too
        const button = await boxOf(page, `[data-testid=budget] ::-p-text(${name})`);
        const at = [button.x + button.width / 2, button.y + button.height / 2];
        found.switch.push(await settling(page, 'click', () => page.mouse.click(...at)));
      }
      const box = await boxOf(page, '[data-testid=cores] .mini-track');
      const y = box.y + 60;
      await page.mouse.move(box.x + (0.2 + i / 100) * box.width, y);
      await page.mouse.down();
      await page.mouse.move(box.x + (0.5 + i / 50) * box.width, y, { steps: 8 });
      found.brush.push(await settling(page, 'pointerup', () => page.mouse.up()));
      await page.keyboard.press('Escape');
      await pause(quiet);
    }
    const what = '500,000 profile nodes, 100,000 chunks';
    return [
      {
        name: 'local-4x1: its core-time is drawn after the tiles have their numbers by (50)',
        ours: median(behind),
        unit: 'ms',
      },
      ...Object.entries(found).flatMap(([step, all]) => [
        {
          name: `${what}: ${step} until its frame (100)`,
          ours: median(all.map(({ took }) => took)),
          unit: 'ms',
        },
        {
          name: `${what}: ${step}, script per frame (8)`,
          ours: median(all.map(({ script }) => script)),
          unit: 'ms',
        },
      ]),
    ];
  });
