// Flame graphs: from the file to the first frame, zoom, search, left heavy and memory, against the
// real speedscope in the same run.
//
// "First frame" is the second animation frame after a label that both show was drawn on the canvas
// (speedscope: and its WebGL boxes). Ours opens the page with `#view=flame`, so that the flame
// graph is what it shows first.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root, run } from '../../scripts/run.mjs';
import {
  chooseFiles,
  giveFile,
  launchChromium,
  newPage,
  pause,
  rendererMemory,
  servePage,
  withGl,
  withoutGl,
} from './in_chromium.mjs';
import { median } from './numbers.mjs';
import { writeDaskTree, writeSamples } from './profiles.mjs';

const runs = 3;
/** Between a page's start and the file: a page at rest is measured [ms]. */
const rest = 2000;

/**
 * Before the page's own scripts: remembers when a label is drawn, when WebGL draws, and how long
 * tasks take.
 */
function probe() {
  const seen = { label: null, hit: null, gl: 0, long: 0 };
  globalThis.seen = seen;
  const fillText = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    if (seen.label !== null && seen.hit === null && String(text).includes(seen.label))
      seen.hit = performance.now();
    return fillText.call(this, text, ...rest);
  };
  for (const kind of [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext]) {
    if (!kind) continue;
    const draw = kind.prototype.drawArrays;
    kind.prototype.drawArrays = function (...rest) {
      seen.gl += 1;
      return draw.apply(this, rest);
    };
  }
  seen.until = (holds) =>
    new Promise((resolve) => {
      const look = () => {
        if (!holds()) requestAnimationFrame(look);
        else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
      };
      look();
    });
}

async function fresh(browser, url) {
  const page = await newPage(browser, { width: 1400, before: probe });
  await page.goto(url);
  return page;
}

/** The most memory that the renderers took above what they had at `before` [byte]. */
async function memorySince(browser, before) {
  return before && (await rendererMemory(browser)).peak - before.now;
}

/**
 * Our page with a file opened; the milliseconds from choosing it to its first frame, and the memory
 * that it took.
 */
async function opened(browser, url, file, label) {
  const page = await fresh(browser, `${url}#view=flame`);
  await page.waitForSelector('[data-testid=drop-zone]');
  await pause(rest);
  const before = await rendererMemory(browser);
  await page.evaluate((text) => {
    seen.label = text;
    addEventListener('change', () => (seen.start = performance.now()), {
      capture: true,
      once: true,
    });
  }, label);
  await chooseFiles(page, file);
  const first = await page.evaluate(
    async () => (await seen.until(() => seen.hit !== null)) - seen.start,
  );
  return { page, first, memory: await memorySince(browser, before) };
}

/** Ours: the first frame; then, from the page's own point of view, a zoom step and a search. */
async function ours(browser, url, file, label) {
  const { page, first } = await opened(browser, url, file, label);
  await pause(1000);
  const { zoom, script } = await page.evaluate(async () => {
    const icicle = document.querySelector('[data-testid=icicle]');
    const box = icicle.getBoundingClientRect();
    const scripts = [];
    const frames = [];
    for (let i = 0; i < 10; i++) {
      const begin = performance.now();
      icicle.dispatchEvent(
        new WheelEvent('wheel', {
          deltaY: -120,
          ctrlKey: true,
          clientX: box.x + box.width * 0.37,
          clientY: box.y + 60,
          bubbles: true,
          cancelable: true,
        }),
      );
      await Promise.resolve();
      const frame = await new Promise((resolve) => requestAnimationFrame(resolve));
      scripts.push(performance.now() - begin - Math.max(0, frame - begin));
      frames.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    return { zoom: frames, script: scripts };
  });
  await page.keyboard.press('0');
  await pause(500);
  const search = await page.evaluate(async () => {
    const field = document.querySelector('[data-testid=flame-search]');
    const begin = performance.now();
    field.value = 'fn_17';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return (await seen.until(() => document.querySelector('[data-testid=flame-matched]'))) - begin;
  });
  await page.browserContext().close();
  return { first, zoom: median(zoom), script: median(script), search };
}

/** Theirs: the first frame in time order, then left heavy. */
async function theirs(browser, url, file, label) {
  const page = await fresh(browser, url);
  await page.waitForSelector('::-p-text(browse)');
  await pause(rest);
  const before = await rendererMemory(browser);
  await giveFile(page, 'peer', file);
  const first = await page.evaluate(async (text) => {
    seen.label = text;
    const transfer = new DataTransfer();
    transfer.items.add(document.querySelector('#peer').files[0]);
    const target = document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? document.body;
    const drawn = seen.gl;
    const start = performance.now();
    target.dispatchEvent(
      new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }),
    );
    return (await seen.until(() => seen.hit !== null && seen.gl > drawn)) - start;
  }, label);
  const memory = await memorySince(browser, before);
  await pause(500);
  const leftHeavy = await page.evaluate(async () => {
    const drawn = seen.gl;
    const start = performance.now();
    window.dispatchEvent(new KeyboardEvent('keypress', { key: '2', bubbles: true }));
    seen.hit = null;
    return (await seen.until(() => seen.hit !== null && seen.gl > drawn)) - start;
  });
  await page.browserContext().close();
  return { first, memory, leftHeavy };
}

async function serveSpeedscope() {
  const release = join(root, 'node_modules/speedscope/dist/release');
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname.slice(1) || 'index.html';
    const type = name.endsWith('.html')
      ? 'text/html'
      : name.endsWith('.js')
        ? 'text/javascript'
        : name.endsWith('.css')
          ? 'text/css'
          : 'application/octet-stream';
    readFile(join(release, name)).then(
      (bytes) => response.setHeader('content-type', type).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/**
 * Our own time order and left heavy of a file with an order: the answer after the mode is changed.
 */
async function modes(browser, url, file, label) {
  const { page, first, memory } = await opened(browser, url, file, label);
  const step = (mode) =>
    page.evaluate(async (id) => {
      const start = performance.now();
      document.querySelector(`[data-testid=flame-mode-${id}] input`).click();
      seen.hit = null;
      return (
        (await seen.until(() => seen.hit !== null && !document.querySelector('.panel-waiting'))) -
        start
      );
    }, mode);
  const time = await step('time');
  const leftHeavy = await step('icicle');
  await page.browserContext().close();
  return { first, memory, time, leftHeavy };
}

/** `measure` in a browser of its own, whose memory is then that of one page. */
async function alone(flags, measure) {
  const browser = await launchChromium(flags);
  try {
    return await measure(browser);
  } finally {
    await browser.close();
  }
}

/** The figures of this bench: rows of { name, ours, peer, unit, peerName }. */
export async function flameGraphs() {
  const folder = mkdtempSync(join(tmpdir(), 'crema-flame-'));
  const page = await servePage();
  const viewer = await serveSpeedscope();
  const browser = await launchChromium(withoutGl);
  const theirBrowser = await launchChromium(withGl);
  const { url } = page;
  const figures = [];
  try {
    const small = join(folder, 'profile_merged.json');
    writeFileSync(
      small,
      gunzipSync(readFileSync(join(root, 'tests/data/local-4x1/profile_merged.json.gz'))),
    );
    const exported = join(folder, 'local-4x1.speedscope.json');
    await run(
      join(root, 'build/native/crema'),
      ['export', small, '--to', 'speedscope', '--force', '-o', exported],
      { collect: true },
    );
    const large = join(folder, 'dask.json');
    const nodes = writeDaskTree(large, { nodes: 500_000 });
    const many = join(folder, 'many.speedscope.json');
    writeSamples(many, { samples: 1_000_000 });

    const peerName = 'speedscope 1.25.0, time order';
    const smalls = [];
    const peers = [];
    for (let i = 0; i < runs; i++) {
      smalls.push(await ours(browser, url, small, 'fill_var'));
      peers.push(await theirs(theirBrowser, viewer.url, exported, 'fill_var'));
    }
    const of = (list, key) => median(list.map((one) => one[key]));
    figures.push({
      name: 'flame graph of local-4x1, first frame',
      ours: of(smalls, 'first'),
      peer: of(peers, 'first'),
      unit: 'ms',
      peerName,
    });

    const larges = [];
    for (let i = 0; i < runs; i++) larges.push(await ours(browser, url, large, 'root_main'));
    const name = `flame graph of ${nodes.toLocaleString('en')} nodes`;
    figures.push({ name: `${name}, first frame`, ours: of(larges, 'first'), unit: 'ms' });
    figures.push({ name: `${name}, zoom step to its frame`, ours: of(larges, 'zoom'), unit: 'ms' });
    figures.push({
      name: `${name}, script of a zoom step`,
      ours: of(larges, 'script'),
      unit: 'ms',
    });
    figures.push({ name: `${name}, search`, ours: of(larges, 'search'), unit: 'ms' });

    const mine = await alone(withoutGl, (own) => modes(own, url, many, 'root_main'));
    const peer = await alone(withGl, (own) => theirs(own, viewer.url, many, 'root_main'));
    figures.push({
      name: '1,000,000 samples, first frame',
      ours: mine.first,
      peer: peer.first,
      unit: 'ms',
      peerName,
    });
    if (mine.memory !== undefined) {
      const what = '1,000,000 samples, most memory of the renderer above the empty page';
      figures.push({
        name: what,
        ours: mine.memory / 1e6,
        peer: peer.memory / 1e6,
        unit: 'MB',
        peerName,
      });
    }
    figures.push({ name: '1,000,000 samples, time order', ours: mine.time, unit: 'ms' });
    figures.push({
      name: '1,000,000 samples, left heavy',
      ours: mine.leftHeavy,
      peer: peer.leftHeavy,
      unit: 'ms',
      peerName: 'speedscope 1.25.0, left heavy',
    });
    return figures;
  } finally {
    await browser.close();
    await theirBrowser.close();
    await page.close();
    viewer.close();
    rmSync(folder, { recursive: true });
  }
}
