// From the drop of a run to its first view, against JSON.parse of the same file in a worker of the
// same page.
//
// "First view" is the second animation frame after the summary's tiles stand on the page. The
// longest task is the longest time the main thread was blocked meanwhile (Long Tasks API; tasks
// under 50 ms count as 0).
import { join } from 'node:path';
import { writeMetrics } from './generate.mjs';
import { chooseFiles, giveFile, inChromium, newPage, pause } from './in_chromium.mjs';
import { median } from './numbers.mjs';

const runs = 5;

/** A fresh page with `file` chosen: what it takes from the change of the file input to the first view. */
async function opened(browser, url, file) {
  const page = await newPage(browser);
  await page.goto(url);
  await page.waitForSelector('[data-testid=drop-zone]');
  await pause(500);
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
  await chooseFiles(page, file);
  await page.waitForFunction(() => bench.end !== undefined);
  await pause(500);
  const { milliseconds, longest } = await page.evaluate(() => ({
    milliseconds: bench.end - bench.start,
    longest: bench.longest,
  }));
  return { page, milliseconds, longest };
}

/** The first view, and what JSON.parse takes in the same page. */
async function measure(browser, url, file) {
  const { page, milliseconds, longest } = await opened(browser, url, file);
  await giveFile(page, 'peer', file);
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
export const firstView = () =>
  inChromium(async ({ url, browser, folder }) => {
    const file = join(folder, 'metrics.json');
    const megabytes = (await writeMetrics(file, { workers: 30, ticks: 420, chunks: 1500 })) / 1e6;
    const found = [];
    for (let run = 0; run < runs; run++) found.push(await measure(browser, url, file));
    const peerName = `JSON.parse with decoding, ${await browser.version()}`;
    const what = `first view of a ${megabytes.toFixed(1)} MB metrics.json`;
    return [
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
  });
