// From cold: what a user waits for first is the page. From the navigation until a drop is accepted,
// until the Summary of a run that the address names, until the first picture of a report opened from
// disk; and from a drop to its first picture: each in turn with speedscope's page, in Chromium and
// in Firefox.
//
// Cold is a browser's first page in a profile of its own: nothing cached, no code compiled. Warm is
// the second navigation in the same profile, three seconds later. Pages are served as GitHub Pages
// does: packed with gzip, valid for ten minutes. "First picture" is the first frame after the number
// or the label that a test knows was put there: times are the page's own, from its navigation.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import puppeteer from 'puppeteer-core';
import { root, run } from '../../scripts/run.mjs';
import { enginesAt } from './engines.mjs';
import { writeMetrics } from './generate.mjs';
import { giveFile, pause } from './in_chromium.mjs';
import { median } from './numbers.mjs';
import { writeSamples } from './profiles.mjs';

/** A browser that has just started still does things of its own [ms]. */
const settled = 1500;
/** Between two navigations: engines write what they have compiled when a page rests [ms]. */
const rest = 3000;

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json; charset=utf-8',
  '.zip': 'application/zip',
  '.woff2': 'font/woff2',
};
const isPacked = (type) => /^(text|application\/(javascript|wasm|json))/.test(type);

/** Serves a folder, and `more` files by their names, as GitHub Pages does. */
async function serveAsPages(folder, more = {}) {
  const known = new Map();
  const found = (name) => {
    if (!known.has(name)) {
      const bytes = readFileSync(more[name] ?? join(folder, normalize(name)));
      const type = types[extname(name)] ?? 'application/octet-stream';
      const body = isPacked(type) ? gzipSync(bytes, { level: 6 }) : bytes;
      const headers = {
        'content-type': type,
        'content-length': body.length,
        'cache-control': 'max-age=600',
        'access-control-allow-origin': '*',
        ...(isPacked(type) && { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }),
      };
      known.set(name, { headers, body });
    }
    return known.get(name);
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://any');
    try {
      const { headers, body } = found(pathname.slice(1) || 'index.html');
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Runs in a page before its own scripts: notes when a drop is accepted, and when the picture stands
 * that `wanted` describes: an element with a text, or a label on a canvas (`gl`: over WebGL's
 * boxes).
 */
function probe(wanted) {
  const seen = {};
  globalThis.seen = seen;
  const now = () => performance.now();
  let label = false;
  let boxes = !wanted.gl;
  if (wanted.label) {
    const fillText = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      label ||= String(text).includes(wanted.label);
      return fillText.call(this, text, ...rest);
    };
  }
  for (const kind of wanted.gl
    ? [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext]
    : []) {
    const draw = kind.prototype.drawArrays;
    kind.prototype.drawArrays = function (...rest) {
      boxes = true;
      return draw.apply(this, rest);
    };
  }
  const plain = (element) => element?.innerText.replace(/\s+/g, ' ');
  const stands = () =>
    wanted.label
      ? label && boxes
      : plain(document.querySelector(wanted.element))?.includes(wanted.text);
  seen.wait = () => {
    label = false;
    boxes = !wanted.gl;
    const begin = now();
    return new Promise((resolve) => {
      const look = () => {
        if (stands()) requestAnimationFrame(() => resolve(now() - begin));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  };
  const look = () => {
    if (seen.picture || !stands()) requestAnimationFrame(look);
    else requestAnimationFrame(() => (seen.picture = now()));
  };
  requestAnimationFrame(look);
  const drag = () => {
    const at = document.querySelector(wanted.drop);
    if (at) {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], 'any.json'));
      const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer });
      if (!at.dispatchEvent(over)) {
        seen.drop = now();
        return;
      }
    }
    setTimeout(drag);
  };
  drag();
}

/** `use` in a browser of its own with an empty profile. */
async function inFresh(engine, { gl }, use) {
  const profile = mkdtempSync(join(tmpdir(), 'crema-profile-'));
  const browser = await puppeteer.launch({
    ...(await engine.launch(profile, gl)),
    defaultViewport: { width: 1400, height: 900 },
  });
  try {
    const [page] = await browser.pages();
    await pause(settled);
    return await use(page, browser);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function visit(page, url, key) {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  for (;;) {
    const found = await page.evaluate(() => ({ drop: seen.drop, picture: seen.picture }));
    if (found[key] !== undefined) return found;
    await pause(100);
  }
}

/** What there is to visit: where, and what has to be seen there. */
const summary = { element: '[data-testid=tile-elapsed]', text: '1 min 10.5 s', drop: '#app' };
const anySummary = { element: '[data-testid=tile-elapsed]', text: 's', drop: '#app' };
const flame = { label: 'fill_var', drop: '#app' };
const theirFlame = { label: 'fill_var', drop: 'body > div', gl: true };

/** What was seen cold, and warm after it [ms]. */
async function coldAndWarm(engine, { url, wanted, isFile }) {
  return inFresh(engine, wanted, async (page) => {
    await page.evaluateOnNewDocument(probe, wanted);
    const cold = await visit(page, url, 'picture');
    if (isFile) return { cold };
    await pause(rest);
    await page.goto('about:blank');
    return { cold, warm: await visit(page, url, 'picture') };
  });
}

/** From the drop of `file` on the page at rest to its first picture [ms]. */
async function drops(engine, { url, wanted, files }) {
  return inFresh(engine, wanted, async (page) => {
    await page.evaluateOnNewDocument(probe, wanted);
    const found = [];
    for (const file of files) {
      await visit(page, url, 'drop');
      await pause(rest);
      await giveFile(page, 'bench', file);
      found.push(
        await page.evaluate((target) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(document.querySelector('#bench').files[0]);
          const waiting = seen.wait();
          document
            .querySelector(target)
            .dispatchEvent(
              new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }),
            );
          return waiting;
        }, wanted.drop),
      );
    }
    return found;
  });
}

const sizes = [0.5, 5, 30];
/** Shapes of a metrics.json, and samples of a profile, of these sizes [MB]. */
const metricsOf = [
  { workers: 4, ticks: 60, chunks: 500 },
  { workers: 30, ticks: 110, chunks: 2500 },
  { workers: 60, ticks: 430, chunks: 10_000 },
];
const samplesOf = [4_000, 46_000, 280_000];
const viewerName = 'speedscope 1.25.0';
const theLimit = 'the limit';

/**
 * `use` with a folder, our page and speedscope's, which both serve the profile that is made in it
 * of local-4x1.
 */
async function withPages(use) {
  const folder = mkdtempSync(join(tmpdir(), 'crema-cold-'));
  const crema = join(root, 'build/native/crema');
  const at = (name) => join(folder, name);
  const merged = join(root, 'tests/data/local-4x1/profile_merged.json.gz');
  writeFileSync(at('merged.json'), gunzipSync(readFileSync(merged)));
  const profile = at('profile.json');
  await run(crema, ['export', at('merged.json'), '--to', 'speedscope', '-o', profile], {
    collect: true,
  });
  const more = { 'profile.json': profile };
  const page = await serveAsPages(join(root, 'dist'), more);
  const viewer = await serveAsPages(join(root, 'node_modules/speedscope/dist/release'), more);
  try {
    return await use({ at, page: page.url, viewer: viewer.url });
  } finally {
    page.close();
    viewer.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Does each of `all` in turn, `rounds` times, in the browsers that there are or in the one that is
 * wanted; what they gave, by name, goes to `figuresOf`.
 */
async function inTurn({ engine: wanted, rounds = 9 }, all, figuresOf) {
  const figures = [];
  for (const engine of enginesAt(wanted)) {
    const seen = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
    for (let round = 0; round < Number(rounds); round++) {
      for (const [name, perform] of Object.entries(all)) seen[name].push(await perform(engine));
      console.log(`  ${engine.name}, round ${round + 1} of ${rounds}; load ${loadavg()[0]}`);
    }
    const figure = (name, ours, peer, peerName) =>
      figures.push({ name: `${engine.name}: ${name}`, ours, peer, unit: 'ms', peerName });
    figuresOf(figure, seen);
  }
  return figures;
}

/** From the navigation to a first picture: rows of { name, ours, peer, unit, peerName }. */
export const cold = (options = {}) =>
  withPages(async ({ at, page, viewer }) => {
    const report = at('report.html');
    const bundle = join(root, 'tests/data/local-4x1');
    await run(join(root, 'build/native/crema'), ['export', bundle, '--to', 'html', '-o', report], {
      collect: true,
    });
    const places = {
      hosted: { url: `${page}#url=samples/local-4x1.zip`, wanted: summary },
      report: { url: pathToFileURL(report).href, wanted: summary, isFile: true },
      flame: { url: `${page}#view=flame&url=profile.json`, wanted: flame },
      theirs: {
        url: `${viewer}#profileURL=${encodeURIComponent(`${viewer}profile.json`)}`,
        wanted: theirFlame,
      },
    };
    const visits = Object.entries(places).map(([name, place]) => [
      name,
      (engine) => coldAndWarm(engine, place),
    ]);
    return inTurn(options, Object.fromEntries(visits), (figure, seen) => {
      const of = (name, when, key = 'picture') => median(seen[name].map((one) => one[when][key]));
      const drop = (name, when) => of(name, when, 'drop');
      const linked = '#url= of local-4x1 to its Summary';
      const disk = 'a report of local-4x1 from disk to its Summary';
      figure('a drop is accepted, cold', drop('hosted', 'cold'), 150, theLimit);
      for (const when of ['cold', 'warm'])
        figure(
          `a drop is accepted, ${when}`,
          drop('hosted', when),
          drop('theirs', when),
          viewerName,
        );
      figure(`${linked}, cold`, of('hosted', 'cold'), 600, theLimit);
      figure(`${linked}, warm`, of('hosted', 'warm'), 300, theLimit);
      figure(disk, of('report', 'cold'), 500, theLimit);
      figure(disk, of('report', 'cold'), of('hosted', 'cold'), 'the hosted page');
      for (const when of ['cold', 'warm'])
        figure(
          `a linked profile to its flame graph, ${when}`,
          of('flame', when),
          of('theirs', when),
          viewerName,
        );
    });
  });

/** From a drop on the page at rest to its first picture: rows likewise. */
export const dropped = (options = {}) =>
  withPages(async ({ at, page, viewer }) => {
    const files = (kind) => sizes.map((size) => at(`${kind}-${size}.json`));
    for (const [index, path] of files('metrics').entries())
      await writeMetrics(path, metricsOf[index]);
    for (const [index, path] of files('samples').entries())
      writeSamples(path, { samples: samplesOf[index] });
    const made = { label: 'root_main', drop: '#app' };
    const theirs = { ...made, drop: theirFlame.drop, gl: true };
    const all = {
      metrics: (engine) =>
        drops(engine, { url: page, wanted: anySummary, files: files('metrics') }),
      samples: (engine) =>
        drops(engine, { url: `${page}#view=flame`, wanted: made, files: files('samples') }),
      theirs: (engine) => drops(engine, { url: viewer, wanted: theirs, files: files('samples') }),
    };
    return inTurn(options, all, (figure, seen) => {
      for (const [index, size] of sizes.entries()) {
        const of = (name) => median(seen[name].map((one) => one[index]));
        figure(`a metrics.json of ${size} MB dropped, to its Summary`, of('metrics'));
        figure(
          `a profile of ${size} MB dropped, to its flame graph`,
          of('samples'),
          of('theirs'),
          viewerName,
        );
      }
    });
  });
