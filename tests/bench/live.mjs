// A page that follows a long run: `npm run bench -- live [--hours 8] [--chunks 100000] [--speed 100]
// [--from 0] [--parts N]`. A folder grows as `crema.record` writes it (a part a second, 32 joined to
// one, and 32 of these), so many times as fast, from an hour on and for so many parts. Prints how
// soon a part is on screen, what part of a core the page's process takes (its core included), the
// page's tasks longer than 50 ms with the scripts in them, and memory of page and core beside those
// of a page that opens the finished folder.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { inChromium, newPage, pause } from './in_chromium.mjs';

const epoch = 1_800_000_000;
const workers = 300;
const datasets = ['data', 'ttbar', 'signal'];

/** Chunk `i` of `count` over `seconds`, on a worker in turn: [begin, wall] in microseconds. */
function timesOf(i, count, seconds) {
  const each = (seconds * workers) / count;
  const begin = Math.floor(i / workers) * each;
  return [Math.round(begin * 1e6), Math.round(each * (0.7 + ((i * 7919) % 100) / 400) * 1e6)];
}

function partOf(begin, end, count, seconds) {
  const strings = ['chunk', 'ok', 'host'];
  const first = strings.length;
  for (let k = 0; k < workers; k++) strings.push(`worker-${k}`);
  strings.push(...datasets);
  const file = strings.length;
  for (let k = 0; k < 100; k++) strings.push(`/store/${k}.root`);
  const rows = Array.from({ length: end - begin }, (_, row) => begin + row);
  const times = rows.map((i) => timesOf(i, count, seconds));
  const tasks = {
    kind: rows.map(() => 0),
    status: rows.map(() => 1),
    host: rows.map(() => 2),
    pid: rows.map((i) => 1000 + (i % workers)),
    thread: rows.map((i) => i % workers),
    worker: rows.map((i) => first + (i % workers)),
    dataset: rows.map((i) => first + workers + (i % 3)),
    file: rows.map((i) => file + (i % 100)),
    entry_start: rows.map((i) => Math.floor(i / 100) * 1000),
    entry_stop: rows.map((i) => Math.floor(i / 100) * 1000 + 1000),
    events: rows.map(() => 1000),
    begin: times.map(([time]) => time),
    wall: times.map(([, wall]) => wall),
  };
  const part = {
    format: 'crema_tasks_v1',
    epoch,
    rows: rows.length,
    strings,
    tasks,
    processes: [],
  };
  return JSON.stringify(part);
}

/** The folder as it is after so many seconds; parts are joined as the recorder joins them. */
class Folder {
  files = new Map();
  parts = [];
  number = 0;

  constructor(count, seconds) {
    Object.assign(this, { count, seconds });
  }

  put(begin, end, level) {
    const name = `tasks-${String(this.number++).padStart(6, '0')}.json`;
    this.files.set(name, partOf(begin, end, this.count, this.seconds));
    return { name, begin, end, level };
  }

  growTo(second) {
    const known = this.parts.at(-1)?.end ?? 0;
    const end = Math.min(this.count, Math.floor((this.count * second) / this.seconds));
    if (end > known) this.parts.push(this.put(known, end, 0));
    for (const level of [0, 1]) {
      const joined = this.parts.filter((part) => part.level === level);
      if (joined.length < 32) continue;
      for (const { name } of joined) this.files.delete(name);
      const whole = this.put(joined[0].begin, joined.at(-1).end, level + 1);
      this.parts.splice(this.parts.indexOf(joined[0]), joined.length, whole);
    }
    const state = second >= this.seconds ? 'complete' : 'running';
    const tasks = Math.ceil(this.count / datasets.length);
    const events = tasks * 1000;
    this.files.set(
      'tasks.json',
      JSON.stringify({
        format: 'crema_task_index_v1',
        state,
        begin: epoch,
        until: epoch + second,
        rows: end,
        dropped: 0,
        notes: [],
        cluster: false,
        workers: Array.from({ length: workers }, (_, k) => ({
          host: 'host',
          pid: 1000 + k,
          worker: `worker-${k}`,
          begin: epoch,
          end: epoch + second,
          threads: 1,
        })),
        planned: datasets.map((dataset) => ({ call: 1, kind: 'chunk', dataset, tasks, events })),
        parts: this.parts.map(({ name, begin, end: last }) => ({ name, rows: last - begin })),
      }),
    );
  }
}

const serveFolder = (folder) =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const content = folder.files.get(request.url.split('/').at(-1));
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('cache-control', 'no-store');
      if (content === undefined) response.statusCode = 404;
      response.end(content);
    }).listen(0, '127.0.0.1', () => resolve(server));
  });

/** Of the process that renders the page, with its workers and the core: resident [byte], CPU [s]. */
async function rendererOf(browser) {
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const all = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id, cpuTime }) => {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      return { cpu: cpuTime, memory: 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)[1]) };
    });
  return all.sort((a, b) => b.memory - a.memory)[0];
}

/** Long tasks [ms], and what ran in the frames that took as long: [ms, its source]. */
const observe = () => {
  window.longTasks = [];
  window.longScripts = [];
  const watch = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({
      type,
      buffered: true,
    });
  watch('longtask', ({ duration }) => window.longTasks.push(duration));
  watch('long-animation-frame', (frame) => {
    const { scripts, startTime, duration, styleAndLayoutStart } = frame;
    const drawing = styleAndLayoutStart ? startTime + duration - styleAndLayoutStart : 0;
    if (drawing > 30) window.longScripts.push([drawing, 'style, layout and paint']);
    for (const one of scripts) {
      if (one.duration < 30) continue;
      const source = `${one.invoker} ${one.sourceFunctionName}@${one.sourceCharPosition}`;
      window.longScripts.push([one.duration, source]);
    }
  });
};

/** [ms] Until nothing of opening is left to do. */
const atRest = 5000;

const mebi = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

export const live = ({ hours = '8', chunks = '100000', speed = '100', from = '0', parts }) =>
  inChromium(async ({ url, browser }) => {
    const seconds = Number(hours) * 3600;
    const step = Number(speed);
    const folder = new Folder(Number(chunks), seconds);
    const begin = Math.max(step, Number(from) * 3600);
    for (let second = step; second <= begin; second += step) folder.growTo(second);
    const end = Math.min(seconds, begin + step * Number(parts ?? Number.POSITIVE_INFINITY));
    const server = await serveFolder(folder);
    const address = `${url}#url=${encodeURIComponent(`http://127.0.0.1:${server.address().port}/run/`)}`;
    try {
      const page = await newPage(browser, { before: observe });
      await page.goto(address);
      await page.waitForSelector('[data-testid=filter-chunks]');
      await pause(atRest);
      await page.evaluate(() => {
        window.longTasks = []; // without those of opening
        window.longScripts = [];
      });
      const late = [];
      const first = await rendererOf(browser);
      const began = performance.now();
      for (let second = begin + step; second < end; second += step) {
        const wanted = performance.now() + 1000;
        const before = await page.$eval('[data-testid=filter-chunks]', (one) => one.textContent);
        folder.growTo(second);
        const written = performance.now();
        await page.waitForFunction(
          (text) => document.querySelector('[data-testid=filter-chunks]')?.textContent !== text,
          { polling: 50 },
          before,
        );
        late.push(performance.now() - written);
        if (second % 3600 < step) {
          const { memory } = await rendererOf(browser);
          console.log(`${(second / 3600).toFixed(1)} h: ${mebi(memory)}`);
        }
        await pause(Math.max(0, wanted - performance.now()));
      }
      const last = await rendererOf(browser);
      const share = (100_000 * (last.cpu - first.cpu)) / (performance.now() - began);
      const [long, scripts] = await page.evaluate(() => [window.longTasks, window.longScripts]);
      folder.growTo(seconds);
      await page.waitForFunction(
        () => document.querySelector('[data-testid=live] b')?.textContent === 'Ended',
      );
      await pause(atRest);
      const followed = (await rendererOf(browser)).memory;
      await page.close();
      const finished = await newPage(browser);
      await finished.goto(address);
      await finished.waitForSelector('[data-testid=filter-chunks]');
      await pause(atRest);
      const opened = (await rendererOf(browser)).memory;
      late.sort((a, b) => a - b);
      const at = (share) => `${Math.round(late[Math.floor(share * (late.length - 1))])} ms`;
      console.log(`${late.length} parts: on screen after ${at(0.5)}, ${at(0.9)} (90 %), ${at(1)}`);
      console.log(`the page with its core: ${share.toFixed(1)} % of one core`);
      const longest = Math.max(0, ...long);
      console.log(
        `tasks of the page longer than 50 ms: ${long.length}, the longest ${Math.round(longest)} ms`,
      );
      for (const [duration, source] of scripts.sort((a, b) => b[0] - a[0]).slice(0, 12))
        console.log(`  ${Math.round(duration)} ms ${source}`);
      const ratio = (followed / opened).toFixed(2);
      console.log(`followed: ${mebi(followed)}, opened at the end: ${mebi(opened)}: ${ratio} x`);
    } finally {
      server.close();
    }
    return [];
  });
