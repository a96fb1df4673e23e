// The timelines of a large run: script per frame while panning and zooming, how long a brush takes,
// and many lines against uPlot.
//
// "Script" is Chromium's own ScriptDuration between two frames (DevTools Protocol, Performance
// domain), in time of the main thread, so that what else the machine does is not counted: event
// handlers, Preact, and drawing calls.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeMetrics } from './generate.mjs';
import { boxOf, chooseFiles, inChromium, newPage, scriptClock } from './in_chromium.mjs';

const frames = 60;
const repeats = 5;

const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const median = (values) => quantile(values, 0.5);

/** Opens `file` on the timelines of a fresh page. */
async function openTimelines(browser, url, file) {
  const page = await newPage(browser);
  await page.goto(url);
  await chooseFiles(page, file);
  await page.waitForSelector('[data-testid=tile-elapsed]');
  await page.keyboard.press('2');
  await page.waitForSelector('[data-testid=track-chunks]');
  await rest(page);
  return page;
}

/** Until nothing is awaited. */
async function rest(page) {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
  await twoFrames(page);
}

const twoFrames = (page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );

/** Milliseconds of script in each of `count` steps; a step ends when its frame is drawn. */
async function scriptOf(page, count, step) {
  const script = await scriptClock(page);
  const found = [];
  for (let i = 0; i < count; i++) {
    const before = await script.now();
    await step(i);
    await twoFrames(page);
    found.push((await script.now()) - before);
  }
  await script.detach();
  return found;
}

async function panAndZoom(page) {
  const box = await boxOf(page, '[data-testid=tracks]');
  const at = { x: box.x + box.width / 2, y: Math.min(box.y + 200, 700) };
  await page.mouse.move(at.x, at.y);
  await page.keyboard.down('Control');
  const zooming = await scriptOf(page, frames, (i) =>
    page.mouse.wheel({ deltaY: i % 20 < 14 ? -60 : 120 }),
  );
  await page.keyboard.up('Control');
  const panning = await scriptOf(page, frames, (i) =>
    page.mouse.wheel({ deltaY: i % 20 < 10 ? 40 : -40 }),
  );
  return [...zooming, ...panning];
}

/** How long nothing must change for all to be there [ms]. */
const quiet = 1500;

/**
 * From the event `type` that `act` causes until the filter bar's counts and every panel change no
 * more [ms]. A question of an old selection that still comes in counts, too.
 */
async function settling(page, type, act) {
  await page.evaluate((name) => {
    addEventListener(name, () => (bench.start = bench.last = performance.now()), {
      capture: true,
      once: true,
    });
    const changed = () => (bench.last = performance.now());
    globalThis.bench = { observer: new MutationObserver(changed) };
    bench.observer.observe(document.querySelector('[data-testid=filter-counts]'), {
      subtree: true,
      childList: true,
      characterData: true,
    });
    bench.observer.observe(document.querySelector('main'), {
      subtree: true,
      attributes: true,
      attributeFilter: ['aria-busy'],
    });
  }, type);
  await act();
  return page.evaluate(async (milliseconds) => {
    while (performance.now() - bench.last < milliseconds) await new Promise(requestAnimationFrame);
    bench.observer.disconnect();
    return bench.last - bench.start;
  }, quiet);
}

/** From the end of a drag until all views show what is selected [ms]. */
async function brush(page, from, to) {
  const box = await boxOf(page, '[data-testid=tracks]');
  const y = box.y + 60;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y, { steps: 8 });
  await page.mouse.move(box.x + to * box.width, y);
  return settling(page, 'pointerup', () => page.mouse.up());
}

/** From the click on a dataset until all views show it alone [ms]. */
async function filterDataset(page) {
  const took = await settling(page, 'click', () =>
    page.click('[data-testid=track-chunks] .bar-legend button'),
  );
  await page.keyboard.press('Escape');
  await rest(page);
  return took;
}

/** First picture and zoom step of as many lines as the run has workers. */
async function ourLines(page) {
  const drawn = await page.evaluate(async () => {
    document.querySelector('[data-testid=form-cpu-lines] input').click();
    const start = performance.now();
    const frame = () => new Promise(requestAnimationFrame);
    while (
      !document.querySelector('[data-testid=lines-cpu]') ||
      document.querySelector('[aria-busy=true]')
    )
      await frame();
    await frame();
    return performance.now() - start;
  });
  const box = await boxOf(page, '[data-testid=lines-cpu]');
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.keyboard.down('Control');
  const [zoom] = await scriptOf(page, 1, () => page.mouse.wheel({ deltaY: -630 }));
  await page.keyboard.up('Control');
  return { drawn, zoom };
}

async function uplotLines(browser) {
  const release = (name) =>
    fileURLToPath(new URL(`../../node_modules/uplot/dist/${name}`, import.meta.url));
  const page = await newPage(browser);
  await page.setContent('<!doctype html><div id="app"></div>');
  await page.addStyleTag({ content: readFileSync(release('uPlot.min.css'), 'utf8') });
  await page.addScriptTag({ content: readFileSync(release('uPlot.iife.min.js'), 'utf8') });
  const drawn = await page.evaluate(async () => {
    const x = Float64Array.from({ length: 600 }, (_, i) => i);
    const lines = Array.from({ length: 300 }, () =>
      Float64Array.from(x, () => Math.random() * 100),
    );
    const series = [{}, ...lines.map((_, i) => ({ stroke: `hsl(${i} 60% 50%)`, width: 1 }))];
    const start = performance.now();
    const scales = { x: { time: false } };
    globalThis.plot = new uPlot(
      { width: 1380, height: 800, legend: { show: false }, scales, series },
      [x, ...lines],
      document.querySelector('#app'),
    );
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    return performance.now() - start;
  });
  const [zoom] = await scriptOf(page, 1, () =>
    page.evaluate(() => plot.setScale('x', { min: 225, max: 375 })),
  );
  await page.close();
  return { drawn, zoom };
}

/** The figures of this bench: rows of { name, ours, peer, unit, peerName, limit }. */
export const timelines = ({ large } = {}) =>
  inChromium(async ({ url, browser, folder }) => {
    const figures = [];
    const largeFile = large ?? join(folder, 'large.json');
    if (!large)
      await writeMetrics(largeFile, { workers: 1000, ticks: 1500, chunks: 100_000, compact: true });
    let page = await openTimelines(browser, url, largeFile);
    const steps = await panAndZoom(page);
    await page.keyboard.press('0');
    await rest(page);
    const brushes = [];
    for (let i = 0; i < repeats; i++) brushes.push(await brush(page, 0.2 + i / 100, 0.5 + i / 50));
    await page.keyboard.press('Escape');
    await rest(page);
    const filters = [];
    for (let i = 0; i < repeats; i++) filters.push(await filterDataset(page));
    await page.close();
    const what = '1,000 workers x 1,500 ticks, 100,000 chunks';
    figures.push(
      {
        name: `${what}: script per frame, panning and zooming, median (8)`,
        ours: median(steps),
        unit: 'ms',
      },
      { name: `${what}: the same, 95th percentile (16)`, ours: quantile(steps, 0.95), unit: 'ms' },
      { name: `${what}: a brush until all views answer (150)`, ours: median(brushes), unit: 'ms' },
      {
        name: `${what}: a dataset until all views answer (150)`,
        ours: median(filters),
        unit: 'ms',
      },
    );

    const linesFile = join(folder, 'lines.json');
    await writeMetrics(linesFile, { workers: 300, ticks: 600, chunks: 3000, compact: true });
    const ours = [];
    const peer = [];
    for (let i = 0; i < repeats; i++) {
      page = await openTimelines(browser, url, linesFile);
      ours.push(await ourLines(page));
      await page.close();
      peer.push(await uplotLines(browser));
    }
    const peerName = `uPlot 1.6, ${await browser.version()}`;
    const figure = (name, key) => ({
      name: `300 x 600 lines, ${name}`,
      ours: median(ours.map((one) => one[key])),
      peer: median(peer.map((one) => one[key])),
      unit: 'ms',
      peerName,
    });
    figures.push(figure('first picture', 'drawn'), figure('script of a zoom step', 'zoom'));
    return figures;
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, ours, peer, unit } of await timelines({ large: process.argv[2] })) {
    console.log(
      `${name}: ${ours.toFixed(1)} ${unit}${peer === undefined ? '' : `, peer ${peer.toFixed(1)} ${unit}`}`,
    );
  }
}
