// From the drop of a run to its first view, against JSON.parse of the same file in a worker of the same page.
//
// "First view" is the second animation frame after the summary's tiles stand on the page. The longest task is the longest
// time the main thread was blocked meanwhile (Long Tasks API; tasks under 50 ms count as 0).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { findChromium } from '../../scripts/browsers.mjs';
import { writeMetrics } from './generate.mjs';

const runs = 5;
const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** One fresh page: what it takes from the change of the file input to the first view, and what JSON.parse takes. */
async function measure(browser, url, file) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.waitForSelector('[data-testid=drop-zone]');
  await page.waitForTimeout(500);
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
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('[data-testid=open-files]')]);
  await chooser.setFiles(file);
  await page.waitForFunction(() => bench.end !== undefined);
  await page.waitForTimeout(500);
  const ours = await page.evaluate(() => ({ milliseconds: bench.end - bench.start, longest: bench.longest }));

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
  return { ours: ours.milliseconds, longest: ours.longest, peer };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** The figures of this bench: rows of { name, ours, peer, unit, peerName }. */
export async function firstView() {
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
    return [
      { name: what, ours: median(found.map((one) => one.ours)), peer: median(found.map((one) => one.peer)), unit: 'ms', peerName },
      { name: `${what}, longest main-thread task`, ours: Math.max(...found.map((one) => one.longest)), unit: 'ms' },
    ];
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}
