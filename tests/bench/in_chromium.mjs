// A page with nothing on it but a worker that holds the core (worker.ts), in a fresh Chromium.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { findChromium } from '../../scripts/browsers.mjs';
import { root } from '../../scripts/run.mjs';

const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--expose-gc',
];

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
  const session = await browser.newBrowserCDPSession();
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
  const client = await page.context().newCDPSession(page);
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
  const browser = await chromium.launch({ executablePath: findChromium(), args });

  async function perform(what, file, rounds = 3) {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    try {
      await page.goto(url);
      await page.setInputFiles('input', file);
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
    version: browser.version(),
    perform,
    async close() {
      await browser.close();
      server.close();
    },
  };
}
