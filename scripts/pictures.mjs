// npm run pictures: every view of every recorded run, light and dark, in three sizes, into
// build/pictures/, to be looked at; and those few that the documentation shows into docs/pictures/.
//
//     npm run pictures                                   all of them, some ten minutes
//     npm run pictures -- --run adaptive --view flame only these (repeatable; also --theme, --size)
//     npm run pictures -- --docs                         only those of the documentation
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSeason } from '../tests/bench/season.mjs';
import { findChromium } from './browsers.mjs';
import { Failed, main, root, seconds } from './run.mjs';
import { setUp } from './setup.mjs';

const data = join(root, 'tests/data');
const views = [
  'summary',
  'timelines',
  'fine',
  'compute',
  'read',
  'flame',
  'workers',
  'compare',
  'scaling',
  'history',
  'recording',
];
const needsSeveral = ['compare', 'scaling'];
const themes = ['light', 'dark'];
const sizes = { wide: [1440, 900], cell: [1000, 600], narrow: [600, 900] };

/** Runs that are looked at together; every other one is on its own. */
const together = {
  'before-after': ['ab-before', 'ab-after'],
  scaling: ['scale-1', 'scale-2', 'scale-4'],
};

/** Digests that are made up: no run here was recorded a month long. */
const season = 'season';
const folderOf = (run) => join(run === season ? join(root, 'build') : data, run);

/** A view of one run, of several, or of many. */
function fits(view, runs) {
  if (view === 'history' || runs[0] === season) return view === 'history' && runs[0] === season;
  return needsSeveral.includes(view) === runs.length > 1;
}

/**
 * What the documentation shows: the rest of the link, and the part of the window that is enough.
 */
const shown = [
  { name: 'summary', runs: ['adaptive'], link: 'view=summary' },
  { name: 'timelines', runs: ['adaptive'], link: 'view=timelines' },
  { name: 'fine', runs: ['local-4x1'], link: 'view=fine' },
  { name: 'chunks', runs: ['local-4x1'], link: 'view=compute' },
  { name: 'access', runs: ['local-4x1'], link: 'view=read' },
  { name: 'flame', runs: ['local-4x1'], link: 'view=flame' },
  { name: 'compare', runs: together['before-after'], link: 'view=compare' },
  { name: 'tutorial-summary', runs: ['tutorial-before'], link: 'view=summary' },
  { name: 'tutorial-flame', runs: ['tutorial-before'], link: 'view=flame' },
  {
    name: 'tutorial-compare',
    runs: ['tutorial-before', 'tutorial-after'],
    link: 'view=compare',
  },
  { name: 'scaling', runs: together.scaling, link: 'view=scaling' },
  { name: 'history', runs: [season], link: 'view=history' },
  {
    name: 'notes',
    runs: ['skipbad'],
    link: 'view=recording',
    clip: { x: 0, y: 80, width: 1440, height: 340 },
  },
];

function filesOf(run) {
  return readdirSync(folderOf(run)).filter((name) => name !== 'oracle.json');
}

/** The recorded runs at runs/NAME/. */
const recordedRuns = {
  name: 'recorded-runs',
  configurePreviewServer(server) {
    server.middlewares.use('/runs', (request, response, next) => {
      const [, run, file] = /^\/([^/]+)\/(.*)$/.exec(request.url) ?? [];
      if (file === 'index.json') response.end(JSON.stringify(filesOf(run)));
      else if (file && filesOf(run).includes(file))
        response.end(readFileSync(join(folderOf(run), file)));
      else next();
    });
  },
};

/** A page with nothing shown yet. */
async function openPage(browser, url, { theme, width, height }) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (problem) => console.error(`the page: ${problem.message}`));
  return { context, page, url };
}

const open = async ({ page, url }, runs, link) => {
  await page.goto('about:blank');
  await page.goto(`${url}#v=2&${runs.map((run) => `url=runs/${run}/&`).join('')}${link}`);
  await page.waitForSelector('[data-testid="notes-count"]');
  await settled(page);
};

/** Waits until nothing is awaited and two looks at the page find the same. */
async function settled(page) {
  await page.evaluate(async () => {
    let before = '';
    for (let same = 0; same < 3; ) {
      await new Promise((done) => setTimeout(done, 100));
      const now = document.body.innerHTML.length + document.body.innerText;
      same = now === before && !document.querySelector('[aria-busy="true"]') ? same + 1 : 0;
      before = now;
    }
  });
}

/** The window as WebP, which is smaller than PNG where marks are many. */
async function picture(page, clip) {
  const session = await page.createCDPSession();
  const { data: encoded } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 80,
    ...(clip && { clip: { ...clip, scale: 1 } }),
  });
  await session.detach();
  return Buffer.from(encoded, 'base64');
}

async function forDocs(browser, url, values) {
  const folder = join(root, 'docs/pictures');
  mkdirSync(folder, { recursive: true });
  const [width, height] = sizes.wide;
  const opened = await openPage(browser, url, { theme: 'light', width, height });
  for (const { name, runs, link, clip } of shown) {
    if (values.view && !values.view.includes(name)) continue;
    await open(opened, runs, link);
    const content = await picture(opened.page, clip);
    writeFileSync(join(folder, `${name}.webp`), content);
    console.log(`docs/pictures/${name}.webp ${(content.length / 1000).toFixed(0)} kB`);
  }
  await opened.context.close();
}

async function all(browser, url, values) {
  const folder = join(root, 'build/pictures');
  mkdirSync(folder, { recursive: true });
  const alone = readdirSync(data).filter((name) => existsSync(join(data, name, 'metrics.json')));
  const sets = {
    ...Object.fromEntries(alone.map((name) => [name, [name]])),
    ...together,
    [season]: [season],
  };
  const wanted = (name, list) => !list || list.includes(name);
  let count = 0;
  for (const theme of themes.filter((name) => wanted(name, values.theme))) {
    for (const [size, [width, height]] of Object.entries(sizes).filter(([name]) =>
      wanted(name, values.size),
    )) {
      const opened = await openPage(browser, url, { theme, width, height });
      for (const [set, runs] of Object.entries(sets).filter(([name]) => wanted(name, values.run))) {
        // Of several runs only what is about all of them: the rest is the first one's.
        const list = views.filter((view) => wanted(view, values.view) && fits(view, runs));
        if (list.length > 0) await open(opened, runs, `view=${list[0]}`);
        for (const view of list) {
          await opened.page.evaluate((hash) => {
            location.hash = hash;
          }, `v=2&view=${view}`);
          await settled(opened.page);
          writeFileSync(
            join(folder, `${set}-${view}-${size}-${theme}.png`),
            await opened.page.screenshot(),
          );
          count += 1;
        }
      }
      await opened.context.close();
    }
  }
  if (count === 0)
    throw new Failed('There is no such picture: see the head of scripts/pictures.mjs.');
  return count;
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      docs: { type: 'boolean', default: false },
      run: { type: 'string', multiple: true },
      view: { type: 'string', multiple: true },
      theme: { type: 'string', multiple: true },
      size: { type: 'string', multiple: true },
    },
  });
  await setUp(['wasm', 'native', 'browser']);
  const { buildPreset, buildWasm } = await import('./native.mjs');
  const { buildPages } = await import('./page.mjs');
  await buildWasm();
  await buildPreset('native', ['crema']);
  await buildPages();
  writeSeason(folderOf(season), 40);
  const { preview } = await import('vite');
  const { default: puppeteer } = await import('puppeteer-core');
  const server = await preview({
    configFile: 'vite.config.ts',
    logLevel: 'error',
    plugins: [recordedRuns],
    preview: { host: '127.0.0.1', port: 0 },
  });
  const browser = await puppeteer.launch({
    executablePath: findChromium(),
    headless: true,
    args: ['--no-sandbox'],
  });
  try {
    const url = `http://127.0.0.1:${server.httpServer.address().port}/`;
    const since = performance.now();
    if (!values.run && !values.theme && !values.size) await forDocs(browser, url, values);
    if (!values.docs)
      console.log(
        `${await all(browser, url, values)} pictures in build/pictures (${seconds(since)})`,
      );
  } finally {
    await browser.close();
    await server.close();
  }
});
