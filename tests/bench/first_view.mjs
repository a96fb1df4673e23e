// From the drop of a run to its first view, against JSON.parse of the same file in a worker of the
// same page; of 3 GB, too, which JSON.parse cannot hold.
//
// "First view" is the second animation frame after the summary's tiles stand on the page. The
// longest task is the longest time the main thread was blocked meanwhile (Long Tasks API; tasks
// under 50 ms count as 0).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { findChromium } from '../../scripts/browsers.mjs';
import { writeMetrics } from './generate.mjs';
import { rendererMemory } from './in_chromium.mjs';
import { median } from './numbers.mjs';

const runs = 5;
/** An hour of 1,000 workers. */
const large = { workers: 1000, ticks: 3800, chunks: 100000 };
const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A fresh page with `file` chosen: what it takes from the change of the file input to the first
 * view, and of memory.
 */
async function opened(browser, url, file) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(240_000);
  await page.goto(url);
  await page.waitForSelector('[data-testid=drop-zone]');
  await page.waitForTimeout(500);
  const before = await rendererMemory(browser);
  await page.evaluate(() => {
    globalThis.bench = { longest: 0 };
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) bench.longest = Math.max(bench.longest, task.duration);
    }).observe({ type: 'longtask' });
    addEventListener(
      'change',
      () => {
        bench.start = performance.now();
        const look = () => {
          if (!document.querySelector('[data-testid=tile-elapsed]')) requestAnimationFrame(look);
          else requestAnimationFrame(() => (bench.end = performance.now()));
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.click('[data-testid=open-files]'),
  ]);
  await chooser.setFiles(file);
  await page.waitForFunction(() => bench.end !== undefined);
  await page.waitForTimeout(500);
  const { milliseconds, longest } = await page.evaluate(() => ({
    milliseconds: bench.end - bench.start,
    longest: bench.longest,
  }));
  const memory = before && (await rendererMemory(browser)).peak - before.now;
  return { page, milliseconds, longest, memory };
}

/** The first view, and what JSON.parse takes in the same page. */
async function measure(browser, url, file) {
  const { page, milliseconds, longest } = await opened(browser, url, file);
  await page.evaluate(() => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'peer';
    document.body.append(input);
  });
  await page.setInputFiles('#peer', file);
  const peer = await page.evaluate(async () => {
    const body = `onmessage = async ({ data }) => {
      const start = performance.now();
      JSON.parse(new TextDecoder().decode(await data.arrayBuffer()));
      postMessage(performance.now() - start);
    }`;
    const worker = new Worker(URL.createObjectURL(new Blob([body], { type: 'text/javascript' })));
    const answer = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    worker.postMessage(document.querySelector('#peer').files[0]);
    return await answer;
  });
  await page.close();
  return { ours: milliseconds, longest, peer };
}

/** The figures of this bench: rows of { name, ours, peer, unit, peerName }. */
export async function firstView({ withLarge }) {
  const folder = mkdtempSync(join(tmpdir(), 'crema-bench-'));
  const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' });
  const browser = await chromium.launch({ executablePath: findChromium(), args });
  try {
    const file = join(folder, 'metrics.json');
    const megabytes = (await writeMetrics(file, { workers: 30, ticks: 420, chunks: 1500 })) / 1e6;
    const url = server.resolvedUrls.local[0];
    const found = [];
    for (let run = 0; run < runs; run++) found.push(await measure(browser, url, file));
    const peerName = `JSON.parse with decoding, Chromium ${browser.version()}`;
    const what = `first view of a ${megabytes.toFixed(1)} MB metrics.json`;
    const figures = [
      {
        name: what,
        ours: median(found.map((one) => one.ours)),
        peer: median(found.map((one) => one.peer)),
        unit: 'ms',
        peerName,
      },
      {
        name: `${what}, longest main-thread task`,
        ours: Math.max(...found.map((one) => one.longest)),
        unit: 'ms',
      },
    ];
    if (withLarge) {
      const size = (await writeMetrics(file, large)) / 1e6;
      const { page, milliseconds, longest, memory } = await opened(browser, url, file);
      await page.close();
      const name = `first view of a ${size.toFixed(0)} MB metrics.json`;
      figures.push({ name, ours: milliseconds, unit: 'ms' });
      figures.push({
        name: `${name}, longest main-thread task`,
        ours: longest,
        peer: 50,
        unit: 'ms',
        peerName: 'the limit',
      });
      if (memory !== undefined)
        figures.push({
          name: `${name}, most memory of the renderer`,
          ours: memory / 1e6,
          peer: 0.25 * size + 64,
          unit: 'MB',
          peerName: 'a quarter of the file and 64 MB',
        });
    }
    return figures;
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}
