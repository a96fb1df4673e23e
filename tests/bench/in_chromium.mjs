// What is measured in Chromium: the built page in a browser, or a page with nothing on it but a worker
// that holds the core (worker.ts).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { build, preview } from 'vite';
import { findChromium } from '../../scripts/browsers.mjs';
import { root } from '../../scripts/run.mjs';

/** What a browser does by itself would be measured, too. */
const quietly = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/**
 * Ours draws on plain canvases; a viewer that needs WebGL takes the processor that pages need where
 * there is no GPU.
 */
export const withoutGl = ['--disable-gpu'];
export const withGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** A bench takes as long as it takes. */
export const patience = 600_000;

/** How to start Chromium for puppeteer. */
export const chromium = (flags = withoutGl) => ({
  browser: 'chrome',
  executablePath: findChromium(),
  headless: true,
  // all that a page fetches would be kept, in its process
  networkEnabled: false,
  protocolTimeout: patience,
  args: [...quietly, ...flags],
});

export const launchChromium = (flags) => puppeteer.launch(chromium(flags));

/** The built page on a server: its address, and how to end it. */
export async function servePage() {
  const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' });
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}

/** `use` with the built page's address, a browser and an empty folder. */
export async function inChromium(use) {
  const folder = mkdtempSync(join(tmpdir(), 'crema-bench-'));
  const server = await servePage();
  const browser = await launchChromium();
  try {
    return await use({ url: server.url, browser, folder });
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

/** A page that nothing is on yet; `before` runs in it before its own scripts. */
export async function newPage(browser, { width = 1440, before } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height: 900 });
  page.setDefaultTimeout(patience);
  if (before) await page.evaluateOnNewDocument(before);
  return page;
}

/** Opens `files` by the page's own button. */
export async function chooseFiles(page, files) {
  const [chooser] = await Promise.all([
    page.waitForFileChooser(),
    page.click('[data-testid=open-files]'),
  ]);
  await chooser.accept([files].flat());
}

/** Gives `file` to an input of its own, with this id, for a peer that is no page of ours. */
export async function giveFile(page, id, file) {
  await page.evaluate((name) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = name;
    document.body.append(input);
  }, id);
  await (await page.$(`#${id}`)).uploadFile(file);
}

/** Where the first that matches is on the page. */
export const boxOf = async (page, selector) => (await page.waitForSelector(selector)).boundingBox();

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function bundledWorker() {
  const made = await build({
    configFile: false,
    root,
    logLevel: 'error',
    resolve: { alias: { 'crema-core': join(root, 'build/wasm') } },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, 'tests/bench/worker.ts'), formats: ['es'], fileName: 'worker' },
    },
  });
  return [made].flat()[0].output[0].code;
}

/**
 * Resident memory [byte] of the browser's renderers: now, and the most there was; undefined where
 * the system does not tell.
 */
export async function rendererMemory(browser) {
  if (process.platform !== 'linux') return undefined;
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pids = processInfo.filter((one) => one.type === 'renderer').map((one) => one.id);
  let now = 0;
  let peak = 0;
  for (const pid of pids) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    now += 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
    peak += 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return { now, peak };
}

/**
 * A clock of the page's script: milliseconds in which the main thread ran any, in its own time, so
 * that what else the machine does is not counted (DevTools Protocol, Performance domain).
 */
export async function scriptClock(page) {
  const client = await page.createCDPSession();
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    async now() {
      const { metrics } = await client.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000;
    },
    detach: () => client.detach(),
  };
}

/** Opens it; `perform(what, file, rounds)` does one thing in a worker of its own. */
export async function openChromium() {
  const worker = await bundledWorker();
  const wasm = readFileSync(join(root, 'build/wasm/crema.wasm'));
  const pages = {
    '/': ['text/html', '<!doctype html><title>bench</title><input type="file">'],
    '/worker.js': ['text/javascript', worker],
    '/crema.wasm': ['application/wasm', wasm],
  };
  const server = createServer((request, response) => {
    const [type, body] = pages[request.url] ?? ['text/plain', ''];
    response.writeHead(pages[request.url] ? 200 : 404, { 'content-type': type }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const browser = await launchChromium(['--js-flags=--expose-gc']);

  async function perform(what, file, rounds = 3) {
    const page = await newPage(browser);
    try {
      await page.goto(url);
      await (await page.$('input')).uploadFile(file);
      const before = await rendererMemory(browser);
      const { answer, problem } = await page.evaluate(
        async ([task, count]) => {
          const bytes = await (await fetch('crema.wasm')).arrayBuffer();
          const worker = new Worker('worker.js', { type: 'module' });
          const said = new Promise((resolve) => {
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => resolve({ problem: message });
          });
          const chosen = document.querySelector('input').files[0];
          worker.postMessage({ what: task, wasm: bytes, file: chosen, rounds: count });
          return await said;
        },
        [what, rounds],
      );
      if (problem) throw new Error(problem);
      const memory = before && (await rendererMemory(browser)).peak - before.now;
      return { answer, memory };
    } finally {
      await page.close();
    }
  }

  return {
    version: await browser.version(),
    perform,
    async close() {
      await browser.close();
      server.close();
    },
  };
}
