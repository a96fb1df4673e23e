// What a user does with a large run: from the event until the last frame in which anything of the
// page changes, in whichever panel. 100,000 chunks on 300 workers, with series, task stream and
// profiles.
//
// Each is done several times with other values, so that no answer is kept. Where other programs share
// the machine the time says little: beside it stands the processor time of the page's main thread and of
// the core's, which is what it would be at most on a machine of its own. Of both the lower quartile, and
// the worst.
//
//   npm run bench -- interactions          node tests/bench/interactions.mjs [part of a name]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { root } from '../../scripts/run.mjs';
import { slotOf, workerAddress, writeMetrics } from './generate.mjs';
import { boxOf, chooseFiles, inChromium, newPage, pause } from './in_chromium.mjs';

const rounds = 6;
const shape = { workers: 300, ticks: 600, chunks: 100_000 };
/** How long nothing must change for all to be there [ms]. */
const quiet = 600;

async function writeRun(folder) {
  const files = ['metrics', 'task_stream', 'dask_profiles'].map((name) =>
    join(folder, `${name}.json`),
  );
  await writeMetrics(files[0], { ...shape, compact: true });
  const tasks = Array.from({ length: shape.chunks }, (_, i) => {
    const { begin, length } = slotOf(shape, i);
    const worker = workerAddress(i % shape.workers);
    const startstops = [{ action: 'compute', start: begin - 0.01, stop: begin + 0.93 * length }];
    const key = `BenchProcessor-${'0'.repeat(32)}-${i}`;
    return { worker, key, startstops, thread: 1, nbytes: 1000, status: 'OK' };
  });
  writeFileSync(files[1], JSON.stringify(tasks));
  const recorded = join(root, 'tests/data/local-4x1/dask_profiles.json.gz');
  const profiles = Object.values(JSON.parse(gunzipSync(readFileSync(recorded))));
  const named = profiles.map((profile, worker) => [workerAddress(worker), profile]);
  writeFileSync(files[2], JSON.stringify(Object.fromEntries(named)));
  return files;
}

/**
 * Before the page's own scripts: `seen.last` is when what changed last was painted, panels out of
 * sight left aside.
 */
function watch() {
  const seen = { start: 0, last: 0, isAwaited: false };
  globalThis.seen = seen;
  const hidden = new WeakSet();
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      hidden[isIntersecting ? 'delete' : 'add'](target);
  });
  const changed = (where) => {
    if (seen.isAwaited || hidden.has(where?.closest?.('.panel'))) return;
    // what is said to screen readers waits until the pointer rests
    const element = where instanceof Element ? where : where?.parentElement;
    if (element?.closest('.visually-hidden')) return;
    seen.isAwaited = true;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        seen.isAwaited = false;
        seen.last = performance.now();
      };
      port2.postMessage(0);
    });
  };
  for (const name of ['clearRect', 'putImageData', 'drawImage']) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
      if (this.canvas.isConnected) changed(this.canvas);
      return draw.apply(this, given);
    };
  }
  new MutationObserver((records) => {
    for (const { target } of records) changed(target);
    for (const panel of document.querySelectorAll('.panel')) sight.observe(panel);
  }).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
}

/** Until nothing has changed for a while, and no answer is awaited. */
const rest = (page) =>
  page.evaluate(async (milliseconds) => {
    const isBusy = () =>
      performance.now() - seen.last < milliseconds ||
      document.querySelector('[aria-busy=true], .panel-waiting');
    while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 50));
  }, quiet);

/** Of the page's main thread and of the core's [ms]; undefined where the system does not tell. */
function processorTime(pid) {
  if (pid === undefined) return undefined;
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const read = (name) => readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8');
    if (thread === String(pid) || read('comm').startsWith('DedicatedWorker'))
      sum += Number(read('schedstat').split(' ')[0]) / 1e6;
  }
  return sum;
}

/** The process of the page: of the renderers the one that has worked most. */
async function rendererOf(browser) {
  if (process.platform !== 'linux') return undefined;
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter((one) => one.type === 'renderer');
  return renderers.sort((a, b) => b.cpuTime - a.cpuTime)[0]?.id;
}

/** From the last event `type` that `act` causes until the page rests, and the processor time [ms]. */
async function settling(page, pid, type, act) {
  await page.evaluate((name) => {
    seen.listen = ({ timeStamp }) => {
      seen.start = timeStamp;
      seen.last = Math.max(seen.last, timeStamp);
    };
    addEventListener(name, seen.listen, { capture: true });
  }, type);
  const before = processorTime(pid);
  await act();
  await rest(page);
  const processor = processorTime(pid) - before;
  const took = await page.evaluate((name) => {
    removeEventListener(name, seen.listen, { capture: true });
    return seen.last - seen.start;
  }, type);
  return { took, processor };
}

const at = (box, across, down) => [box.x + across * box.width, box.y + down * box.height];
const id = (name) => `[data-testid=${name}]`;

/** The steps of a drag: its beginning, a move, and its end. */
const drag = (selector, down) => [
  async (page, i) => {
    const box = await boxOf(page, selector);
    await page.mouse.move(...at(box, 0.2 + i / 50, down));
    await page.mouse.down();
    await page.mouse.move(...at(box, 0.5 + i / 40, down), { steps: 4 });
  },
  async (page, i) => {
    const box = await boxOf(page, selector);
    await page.mouse.move(...at(box, 0.52 + i / 40, down));
  },
  (page) => page.mouse.up(),
];

const click = (selector) => async (page, i) => {
  const all = await page.$$(selector);
  const one = all[i % all.length];
  await one.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { x, y, width, height } = await one.boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
};

const hover = (selector, down) => async (page, i) => {
  const box = await boxOf(page, selector);
  await page.mouse.move(...at(box, 0.1 + 0.09 * i, down));
};

const type = (selector, words) => async (page, i) => {
  await page.evaluate((target) => {
    const field = document.querySelector(target);
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  }, selector);
  await rest(page);
  await page.keyboard.type(words[i % words.length].slice(0, 1));
};

const words = ['jet', 'muon', 'array', 'fill', 'read', 'open', 'call', 'hist'];
const views = { 1: 'Summary', 2: 'Timelines', 3: 'Fine metrics', 4: 'Flame graph', 5: 'Data' };
const clear = (page) => page.keyboard.press('Escape');

/** Name, the key of its view, the event, what a user does; and what takes that back. */
const interactions = [
  ...Object.entries(views).map(([key, title]) => ({
    name: `to ${title}`,
    view: key === '1' ? '5' : String(Number(key) - 1),
    type: 'keydown',
    act: (page) => page.keyboard.press(key),
    undo: (page) => page.keyboard.press(key === '1' ? '5' : String(Number(key) - 1)),
  })),
  ...[
    ['Timelines', '2', id('tracks'), 0.03],
    ['Summary', '1', '[data-testid=cores] .mini-track', 0.5],
  ].flatMap(([title, view, selector, down]) => {
    const [begin, move, end] = drag(selector, down);
    return [
      {
        name: `${title}: brush, a move`,
        view,
        type: 'pointermove',
        before: begin,
        act: move,
        undo: async (page) => {
          await end(page);
          await clear(page);
        },
      },
      {
        name: `${title}: brush, its end`,
        view,
        type: 'pointerup',
        before: begin,
        act: end,
        undo: clear,
      },
    ];
  }),
  {
    name: 'Timelines: hover',
    view: '2',
    type: 'pointermove',
    act: hover(id('tracks'), 0.2),
  },
  {
    name: 'Timelines: a worker',
    view: '2',
    type: 'click',
    act: click(`${id('worker-names')} button`),
    undo: clear,
  },
  {
    name: 'Timelines: rows sorted',
    view: '2',
    type: 'click',
    act: click(`${id('worker-rows')} button[data-testid^=sort-]`),
  },
  {
    name: 'Summary: split by activities, and back',
    view: '1',
    type: 'click',
    act: (page, i) => click(id(i % 2 ? 'split-functions' : 'split-activities'))(page, 0),
  },
  {
    name: 'Summary: a part is chosen',
    view: '1',
    type: 'click',
    act: click(`${id('core-time-tree')} .ct-row-2 > *`),
    undo: clear,
  },
  {
    name: 'Fine metrics: a cell is chosen',
    view: '3',
    type: 'click',
    act: click(`${id('fine-matrix')} button`),
    undo: clear,
  },
  {
    name: 'Flame graph: search, a letter',
    view: '4',
    type: 'keydown',
    act: type(id('flame-search'), words),
  },
  {
    name: 'Flame graph: hover',
    view: '4',
    type: 'pointermove',
    act: hover(id('icicle'), 0.3),
  },
  {
    name: 'Flame graph: a box',
    view: '4',
    type: 'click',
    act: async (page, i) => {
      const box = await boxOf(page, id('icicle'));
      await page.mouse.click(...at(box, 0.05 + 0.1 * i, 0.25));
    },
  },
  ...[
    ['functions', 'the functions’ table'],
    ['inverted', 'inverted'],
    ['sandwich', 'sandwich'],
    ['workers', 'workers'],
  ].map(([mode, title]) => ({
    name: `Flame graph: ${title}`,
    view: '4',
    type: 'click',
    act: (page) => click(id(`flame-mode-${mode}`))(page, 0),
    undo: (page) => click(id('flame-mode-own'))(page, 0),
  })),
  {
    name: 'Flame graph: the functions’ table sorted',
    view: '4',
    type: 'click',
    before: (page) => click(id('flame-mode-functions'))(page, 0),
    act: click(`${id('function-table')} .sort-button`),
    undo: (page) => click(id('flame-mode-own'))(page, 0),
  },
  {
    name: 'Flame graph: sandwich, another function',
    view: '4',
    type: 'click',
    before: (page) => click(id('flame-mode-sandwich'))(page, 0),
    act: click(`${id('function-table')} tr.row-button`),
    undo: (page) => click(id('flame-mode-own'))(page, 0),
  },
  {
    name: 'Data: hover',
    view: '5',
    type: 'pointermove',
    act: hover(id('scatter'), 0.5),
  },
  {
    name: 'Data: scatter brushed, its end',
    view: '5',
    type: 'pointerup',
    before: async (page, i) => {
      const box = await boxOf(page, id('scatter'));
      await page.mouse.move(...at(box, 0.1, 0.2));
      await page.mouse.down();
      await page.mouse.move(...at(box, 0.4 + i / 20, 0.4 + i / 20), { steps: 8 });
    },
    act: (page) => page.mouse.up(),
    undo: clear,
  },
  {
    name: 'Data: a dataset',
    view: '5',
    type: 'click',
    act: click(`${id('group-table')} tr.row-button`),
    undo: clear,
  },
  {
    name: 'Data: files sorted',
    view: '5',
    type: 'click',
    before: (page) => click(id('group-files'))(page, 0),
    act: click(`${id('group-table')} .sort-button`),
  },
];

async function measured(page, pid, one) {
  const found = [];
  for (let i = 0; i < rounds; i += 1) {
    await one.before?.(page, i);
    await rest(page);
    found.push(await settling(page, pid, one.type, () => one.act(page, i)));
    await one.undo?.(page, i);
    await rest(page);
  }
  return ['took', 'processor'].map((what) => {
    const all = found.map((each) => each[what]).sort((a, b) => a - b);
    return { quartile: all[all.length >> 2], worst: all.at(-1) };
  });
}

/** The figures of this bench: rows of { name, ours, unit }. */
export const interactionTimes = ({ only = '' } = {}) =>
  inChromium(async ({ url, browser, folder }) => {
    const page = await newPage(browser, { before: watch });
    await page.goto(url);
    await page.waitForSelector(id('drop-zone'));
    await chooseFiles(page, await writeRun(folder));
    await page.waitForSelector(`${id('core-time-tree')} .ct-row-2`);
    const pid = await rendererOf(browser);
    const figures = [];
    let view = '';
    console.log(`${''.padEnd(44)}  time worst   proc. worst [ms]`);
    for (const one of interactions.filter(({ name }) => name.includes(only))) {
      if (one.view !== view) {
        view = one.view;
        await page.keyboard.press(view);
      }
      await pause(quiet);
      await rest(page);
      const [time, processor] = await measured(page, pid, one);
      const texts = [time, processor].map((of) =>
        [of.quartile, of.worst].map((value) => value.toFixed(0).padStart(6)).join(''),
      );
      console.log(`${one.name.padEnd(44)}${texts.join('  ')}   load ${loadavg()[0].toFixed(1)}`);
      figures.push(
        { name: `${one.name} (100)`, ours: time.quartile, unit: 'ms' },
        { name: `${one.name}, processor time`, ours: processor.quartile, unit: 'ms' },
      );
    }
    return figures;
  });

if (process.argv[1] === fileURLToPath(import.meta.url))
  await interactionTimes({ only: process.argv[2] });
