// A metrics.json larger than any memory holds as text, dropped into one tab: the time to its
// Summary, the memory of the tab, and the longest the main thread stood still. `--gigabytes 6`,
// `--engine chromium` or `--engine firefox`. Pictures of it are in build/huge.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { Failed, root, run } from '../../scripts/run.mjs';
import { enginesAt } from './engines.mjs';
import { writeMetrics } from './generate.mjs';
import { giveFile, newPage, pause, servePage } from './in_chromium.mjs';

/** An hour of 1,000 workers; more gigabytes are more hours. */
const hour = { workers: 1000, ticks: 3600, chunks: 90_000 };
const hourGigabytes = 2.61;

/** What has not come by then does not [ms]. */
const limit = 600_000;

/** For so long nothing must be awaited for the page to be at rest [ms]. */
const rest = 3000;

const shapeOf = (gigabytes) => {
  const hours = gigabytes / hourGigabytes;
  return {
    ...hour,
    ticks: Math.round(hours * hour.ticks),
    chunks: Math.round(hours * hour.chunks),
  };
};

/**
 * Of the process that has had the most memory of those that this one has started: resident now, and
 * the most [byte].
 */
function largestBelow(pid) {
  const statuses = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [readFileSync(`/proc/${name}/status`, 'utf8')];
      } catch {
        return []; // it has ended
      }
    });
  const numberOf = (status, key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const below = new Set([pid]);
  for (let before = 0; before !== below.size; ) {
    before = below.size;
    for (const status of statuses) {
      if (below.has(numberOf(status, 'PPid'))) below.add(numberOf(status, 'Pid'));
    }
  }
  const peak = (status) => numberOf(status, 'VmHWM') || 0;
  const [largest] = statuses
    .filter((status) => below.has(numberOf(status, 'PPid')))
    .toSorted((a, b) => peak(b) - peak(a));
  return { now: 1024 * numberOf(largest, 'VmRSS'), peak: 1024 * peak(largest) };
}

/**
 * Runs in a page before its own scripts: its workers tell how large the WebAssembly memory is that
 * they have [byte]. No browser tells it from outside.
 */
function tellMemory() {
  const patch = `let memory;
    const keep = (found) => {
      memory = Object.values((found.instance ?? found).exports).find((one) => one instanceof WebAssembly.Memory);
      return found;
    };
    for (const name of ['instantiate', 'instantiateStreaming']) {
      const begin = WebAssembly[name];
      WebAssembly[name] = (...rest) => begin.apply(WebAssembly, rest).then(keep);
    }
    const channel = new BroadcastChannel('bench');
    channel.onmessage = ({ data }) => data === 'ask' && memory && channel.postMessage(memory.buffer.byteLength);`;
  const place = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(url, options) {
      const its = new URL(url, location.href).href;
      super(place(`import '${place(patch)}'; import '${its}';`), { ...options, type: 'module' });
    }
  };
}

/** WebAssembly's memory in all workers of the page [byte]. */
const linearMemory = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const channel = new BroadcastChannel('bench');
        let sum = 0;
        channel.onmessage = ({ data }) => (sum += data);
        channel.postMessage('ask');
        setTimeout(() => resolve(sum), 1000);
      }),
  );

/**
 * Drops `file` on the page at rest and waits for its Summary, the first frame after the elapsed
 * time reads `elapsed`; goes on until the page rests again.
 */
async function opened(page, file, elapsed) {
  await giveFile(page, 'bench', file);
  await page.evaluate((text) => {
    const bench = { gap: 0, task: 0, begin: performance.now() };
    globalThis.bench = bench;
    let last = performance.now();
    const turn = () => {
      const now = performance.now();
      if (now - last > bench.gap) Object.assign(bench, { gap: now - last, at: last - bench.begin });
      last = now;
      setTimeout(turn);
    };
    turn();
    if (PerformanceObserver.supportedEntryTypes.includes('longtask'))
      new PerformanceObserver((list) => {
        for (const one of list.getEntries()) bench.task = Math.max(bench.task, one.duration);
      }).observe({ type: 'longtask' });
    else bench.task = undefined;
    const look = () => {
      const tile = document.querySelector('[data-testid=tile-elapsed]');
      if (!tile?.innerText.replace(/\s+/g, ' ').includes(text)) requestAnimationFrame(look);
      else requestAnimationFrame(() => (bench.end = performance.now()));
    };
    look();
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(document.querySelector('#bench').files[0]);
    document
      .querySelector('#app')
      .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  }, elapsed);
  const look = () =>
    page.evaluate(() => ({
      ...bench,
      now: performance.now(),
      busy: document.querySelector('[aria-busy=true]') !== null,
      said: document
        .querySelector('[aria-label="Headline numbers"]')
        ?.innerText.replace(/\s+/g, ' '),
    }));
  for (let calm = 0; calm * 500 < rest; ) {
    await pause(500);
    const { busy, end, begin, now } = await look();
    if (now - begin > limit)
      throw new Failed(`no Summary: ${await page.evaluate(() => document.body.innerText)}`);
    calm = end === undefined || busy ? 0 : calm + 1;
  }
  return look();
}

async function measure(engine, url, file, elapsed, pictures) {
  const profile = mkdtempSync(join(tmpdir(), 'crema-profile-'));
  const browser = await puppeteer.launch(await engine.launch(profile));
  try {
    const page = await newPage(browser, { before: tellMemory });
    await page.goto(url);
    await page.waitForSelector('[data-testid=drop-zone]');
    await pause(rest);
    const { pid } = browser.process();
    const found = await opened(page, file, elapsed);
    await page.screenshot({ path: join(pictures, `${engine.name}.png`) });
    return { ...found, ...largestBelow(pid), linear: await linearMemory(page) };
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Rows of { name, ours, peer, unit, peerName }. */
export async function huge({ engine: wanted, gigabytes = 6 }) {
  const folder = mkdtempSync(join(tmpdir(), 'crema-huge-'));
  const pictures = join(root, 'build/huge');
  mkdirSync(pictures, { recursive: true });
  const server = await servePage();
  const figures = [];
  try {
    const file = join(folder, 'metrics.json');
    const bytes = await writeMetrics(file, shapeOf(Number(gigabytes)));
    console.log(`  ${bytes} bytes written`);
    const begin = performance.now();
    const crema = join(root, 'build/native/crema');
    const { output } = await run(crema, ['summary', file], { collect: true });
    const native = performance.now() - begin;
    const elapsed = /^.*(?= {2}roastcoffea)/.exec(output)[0].split('  ').at(-1);
    for (const engine of enginesAt(wanted)) {
      const found = await measure(engine, server.url, file, elapsed, pictures);
      console.log(
        `  ${engine.name}: stood still after ${found.at.toFixed(0)} ms; load ${loadavg()[0]}; it says:\n${found.said}`,
      );
      const figure = (name, ours, unit, peer, peerName) =>
        ours !== undefined &&
        figures.push({
          name: `${engine.name}: ${(bytes / 1e9).toFixed(2)} GB of metrics.json dropped, ${name}`,
          ...{ ours, unit, peer, peerName },
        });
      const milliseconds = found.end - found.begin;
      figure('to its Summary', milliseconds, 'ms', native, 'crema summary');
      figure('read and shown', bytes / 1e3 / milliseconds, 'MB/s');
      figure('the main thread stood still', found.gap, 'ms', 50, 'the limit');
      figure('its longest task', found.task, 'ms', 50, 'the limit');
      figure('most memory of the tab', found.peak / 1e6, 'MB');
      figure('memory of the tab at rest', found.now / 1e6, 'MB');
      figure("WebAssembly's memory, which never shrinks", found.linear / 1e6, 'MB');
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
  return figures;
}
