// A season of a thousand digests in the page: from choosing the files until History shows them, the
// core's part of finding changes, and a step of the sensitivity slider.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import createCrema from '../../build/wasm/crema.js';
import { root } from '../../scripts/run.mjs';
import { chooseFiles, inChromium, newPage, pause } from './in_chromium.mjs';
import { median } from './numbers.mjs';
import { writeSeason } from './season.mjs';

const runs = 1000;
const repeats = 5;

/** Milliseconds from the choice of the files until nothing is awaited and History is drawn. */
async function open(page, files) {
  await page.evaluate(() =>
    addEventListener('change', () => (globalThis.begun = performance.now()), {
      capture: true,
      once: true,
    }),
  );
  await chooseFiles(page, files);
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const isDone = () =>
      document.querySelector('[data-testid=history-verdict]')?.textContent.trim() &&
      document.querySelector('[data-testid=history-table] tbody tr') &&
      !document.querySelector('[aria-busy=true]');
    while (!isDone()) await frame();
    await frame();
    return performance.now() - globalThis.begun;
  });
}

/** Milliseconds from a step of the slider until the levels that it gives are drawn. */
const slide = (page, to) =>
  page.evaluate(async (value) => {
    const frame = () => new Promise(requestAnimationFrame);
    const slider = document.querySelector('[data-testid=history-sensitivity]');
    await frame();
    const begun = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
    while (document.querySelector('[aria-busy=true]'))
      await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - begun;
  }, to);

/** What the core takes as WebAssembly for all changes of all series, and for those at another p-value. */
async function askCore(files) {
  const crema = await createCrema({
    wasmBinary: readFileSync(join(root, 'build/wasm/crema.wasm')),
  });
  const session = new crema.Session(0);
  // together, as the page does: each opening tells all runs apart anew
  for (const file of files) {
    const bytes = readFileSync(file);
    const id = session.addFile(0, basename(file), bytes.length);
    session.input().set(bytes);
    session.push(id, bytes.length);
    session.finishFile(id);
  }
  session.finish(-1); // a new run, none that is renewed
  const ask = (question, options) => {
    const begin = performance.now();
    const { error, rows } = JSON.parse(session.ask(JSON.stringify({ question, options })));
    if (error) throw new Error(error);
    session.release();
    return { took: performance.now() - begin, rows };
  };
  // what the page asks for first
  const { took: gathered, rows: series } = ask('history_series');
  const first = ask('history_levels').took;
  const again = ask('history_levels', { p_value: 0.001 }).took;
  session.delete();
  return { gathered, first, again, series };
}

/** The figures: rows of { name, ours, unit }. */
export const history = () =>
  inChromium(async ({ url, browser, folder }) => {
    writeSeason(folder, runs);
    const files = readdirSync(folder).map((name) => join(folder, name));
    const opened = [];
    const slid = [];
    for (let i = 0; i < repeats; i += 1) {
      const page = await newPage(browser);
      await page.goto(url);
      await pause(1000);
      opened.push(await open(page, files));
      for (const step of [0, 1, 3, 4, 5, 6]) slid.push(await slide(page, step));
      await page.close();
    }
    const what = `${runs} digests`;
    const { gathered, first, again, series } = await askCore(files);
    return [
      { name: `${what}: ${series} series gathered in the core`, ours: gathered, unit: 'ms' },
      {
        name: `${what}: changes of ${series} series in the core (100 for 20)`,
        ours: first,
        unit: 'ms',
      },
      { name: `${what}: the same at another p-value`, ours: again, unit: 'ms' },
      {
        name: `${what}: from choosing them until History is drawn (1000)`,
        ours: median(opened),
        unit: 'ms',
      },
      {
        name: `${what}: a step of the sensitivity until it is drawn (33)`,
        ours: median(slid),
        unit: 'ms',
      },
    ];
  });
