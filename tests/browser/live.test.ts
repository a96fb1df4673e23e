/** A run is followed while it is recorded. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allRows, chunksIn, growingFiles, planned } from '../support/growing';
import type { Driver } from './driver';
import { useScene } from './scene';
import { dist, serve } from './serve';
import type { Host } from './settings';
import { expectSoon } from './soon';

let host: Host;
let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

async function write(run: string, ...grown: Parameters<typeof growingFiles>): Promise<void> {
  await mkdir(join(folder, run), { recursive: true });
  for (const [name, content] of growingFiles(...grown))
    await writeFile(join(folder, run, name), content);
}

const chunks = planned.reduce((sum, one) => sum + one.tasks, 0);

/** A part may be gone when the page asks for it. */
async function complainsOfMissingPartsOnly(): Promise<void> {
  const complaints = await driver.complaints();
  expect(complaints.filter((one) => !one.includes('status of 404'))).toEqual([]);
}

it('from a server that lists nothing: parts are fetched once, views grow, the end is noticed', async () => {
  await write('live', 0);
  const server = await serve({ folder, headers: { 'access-control-allow-origin': '*' } });
  try {
    await driver.open(`${host.url}#url=${encodeURIComponent(`${server.url}live/`)}`);
    // before its first task has ended
    await driver.read('live-progress', `0 % of ${chunks} chunks done`);
    expect(server.asked.filter((path) => path.endsWith('metrics.json'))).toEqual([]);
    await write('live', 12);
    await driver.read('live-progress', new RegExp(`[1-9]\\d* % of ${chunks} chunks done`));
    await driver.evaluate(`window.told = []; window.timesAsked = 0;
      window.Notification = class {
        static get permission() { timesAsked += 1; return 'default'; }
        static requestPermission = async () => 'granted';
        constructor(title, { body }) { told.push(title + ' (' + body + ')'); }
      }`);
    await driver.click('live-notify');
    await driver.read('live-notify', 'Will notify');
    await driver.evaluate('timesAsked = 0');
    await driver.read('progress', new RegExp(`of ${planned[0]?.tasks}`));
    const before = Number.parseInt(await driver.read('filter-chunks', /^\d+/), 10);
    await write('live', 24);
    await driver.read('filter-chunks', new RegExp(`^(?!${before}\\b)\\d+`));
    await driver.click('live-pause');
    await driver.read('live', /Paused/);
    await driver.key('l');
    await driver.read('live', /Live/);
    await driver.read('tile-elapsed');
    const placesOf = async () =>
      (await driver.evaluate(`['run-verdict', 'tile-elapsed'].map((id) =>
        document.querySelector('[data-testid=' + id + ']').getBoundingClientRect().top)`)) as number[];
    const [verdict = 0, tile = 0] = await placesOf();
    await write('live', allRows, { state: 'complete' });
    await driver.read('live', `Ended 100 % of ${chunks} chunks done`);
    await driver.read('filter-chunks', new RegExp(`^${chunks}`));
    // what was followed is still looked at: nothing moves up until one wants it
    const [verdictAtEnd, tileAtEnd] = await placesOf();
    expect(verdictAtEnd).toBe(verdict);
    expect(tileAtEnd).toBeGreaterThanOrEqual(tile);
    await expectSoon(() => driver.evaluate('told.at(-1)')).toBe(
      `live: the recording has ended (100 % of ${chunks} chunks done)`,
    );
    // another process answers, and the page stands still until it does
    expect(await driver.evaluate('timesAsked')).toBe(0);
    const first = server.asked.filter((path) => path.endsWith('tasks-000000.json.gz'));
    expect(first).toHaveLength(1);
    await driver.click('live-pause');
    await driver.gone('live');
    await driver.gone('progress');
  } finally {
    await server.close();
    await rm(join(folder, 'live'), { recursive: true });
  }
});

/** Waits until so many chunks are on screen, no more and no fewer. */
const shows = (count: number): Promise<string> =>
  driver.read('filter-chunks', new RegExp(`^${count}$`));

it('one that joins late, sleeps, misses a part or meets a client that began again loses and doubles nothing', async () => {
  await write('live', 12);
  const server = await serve({ folder, headers: { 'access-control-allow-origin': '*' } });
  const part = (number: number) => join(folder, 'live', `tasks-00000${number}.json.gz`);
  try {
    await driver.open(`${host.url}#url=${encodeURIComponent(`${server.url}live/`)}`);
    await shows(chunksIn(12));
    // while it looks away, what it knows is joined with what has come since
    const joined = { atOnce: 12, firstPart: 5 };
    await driver.click('live-pause');
    await rm(part(0));
    await rm(part(1));
    await write('live', 24, joined);
    await driver.click('live-pause');
    await shows(chunksIn(24));
    // the index names what nobody can read: what was read stays, and the rest comes when it can
    const index = growingFiles(allRows, joined).get('tasks.json') ?? '';
    await writeFile(join(folder, 'live', 'tasks.json'), index);
    await expectSoon(async () => server.asked.join()).toContain(part(7).split('/').at(-1));
    await shows(chunksIn(24));
    await write('live', allRows, joined);
    await shows(chunks);
    // its parts have names that the page knows
    const again = { firstPart: 5, later: 100 };
    await write('live', 18, again);
    await shows(chunksIn(18));
    await write('live', allRows, { ...again, state: 'complete' });
    await driver.read('live', 'Ended');
    await shows(chunks);
    await complainsOfMissingPartsOnly();
    await driver.open(host.url);
  } finally {
    await server.close();
    await rm(join(folder, 'live'), { recursive: true });
  }
});

it('the lines of Progress keep their room while it grows, and no other than their width asks for', async () => {
  await write('live', 24);
  const server = await serve({ folder, headers: { 'access-control-allow-origin': '*' } });
  const room = async () =>
    (await driver.evaluate(`(() => {
      const lines = document.querySelector('.now-lines');
      return [lines.offsetHeight, [...lines.children].reduce((sum, one) => sum + one.offsetHeight, 0)];
    })()`)) as [number, number];
  try {
    await driver.open(`${host.url}#url=${encodeURIComponent(`${server.url}live/`)}`);
    await driver.read('now-failure');
    await driver.resize(1200, 800);
    const [held] = await room();
    await driver.resize(320, 800);
    await expectSoon(async () => (await room())[0]).toBeGreaterThan(held);
    await driver.resize(1200, 800);
    await expectSoon(room).toEqual([held, held]);
    await write('live', allRows, { state: 'complete' });
    await driver.read('live', 'Ended');
    await driver.gone('now-repeated');
    expect((await room())[0]).toBeGreaterThanOrEqual(held);
  } finally {
    await server.close();
    await rm(join(folder, 'live'), { recursive: true });
  }
});

/** Cells of a notebook: pages in frames that may fetch nothing, and the script around each. */
const cells = (script: string, ...names: string[]): string =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>notebook</title>${names
    .map(
      (name) =>
        `<iframe name="${name}" src="crema.html#embed" sandbox="allow-scripts" width="1200" height="700"></iframe>
<script>(${script.trim()})('${name}', {name: 'live', folders: ['live.unfinished/', 'live/'], since: 0});</script>`,
    )
    .join('')}`;

it('in a notebook: the page around it reads the folder, also before the recording begins', async () => {
  const hostScript = await readFile('python/cremascope/host.js', 'utf8');
  const page = await readFile(`${dist}crema.html`, 'utf8');
  const pages = { '/notebook.html': cells(hostScript, 'crema-1'), '/crema.html': page };
  const server = await serve({ folder, pages });
  try {
    await driver.open(`${server.url}notebook.html`);
    await driver.within('[name="crema-1"]');
    await driver.read('waiting', 'Waiting for the recording to begin');
    await write('live.unfinished', 0);
    await driver.read('live-progress', `0 % of ${chunks} chunks done`);
    await write('live.unfinished', 24);
    await driver.read('live-progress', new RegExp(`[1-9]\\d* % of ${chunks} chunks done`));
    await driver.read('now-failure', /\d attempts? of \d+ \w+ failed with \w+/);
    // at the end what it has written moves to where it was to be saved
    await write('live', allRows, { state: 'complete' });
    await rm(join(folder, 'live.unfinished'), { recursive: true });
    await driver.read('live', 'Ended');
    await driver.read('run-chip', 'live');
    const first = server.asked.filter((path) => path.endsWith('tasks-000000.json.gz'));
    expect(first).toHaveLength(1);
    // what is not there yet is asked for all the same
    await complainsOfMissingPartsOnly();
    await driver.open(host.url);
  } finally {
    await server.close();
  }
});

it('two pages on one run end alike, and each has read each part once', async () => {
  await write('live', 12);
  const hostScript = await readFile('python/cremascope/host.js', 'utf8');
  const page = await readFile(`${dist}crema.html`, 'utf8');
  const names = ['crema-1', 'crema-2'];
  const pages = { '/notebook.html': cells(hostScript, ...names), '/crema.html': page };
  const server = await serve({ folder, pages });
  const ofEach = async (target: string, expected: RegExp | string): Promise<string[]> => {
    const told: string[] = [];
    for (const name of names) {
      await driver.within();
      await driver.within(`[name="${name}"]`);
      told.push(await driver.read(target, expected));
    }
    return told;
  };
  try {
    await driver.open(`${server.url}notebook.html`);
    await ofEach('live-progress', new RegExp(`[1-9]\\d* % of ${chunks} chunks done`));
    await write('live', allRows, { state: 'complete' });
    await ofEach('live', `Ended 100 % of ${chunks} chunks done`);
    const [one, other] = await ofEach('tile-core-time', /\d/);
    expect(other).toBe(one);
    for (const part of growingFiles(allRows).keys()) {
      const read = server.asked.filter((path) => path.endsWith(part));
      if (part.startsWith('tasks-')) expect(read, part).toHaveLength(names.length);
    }
    await complainsOfMissingPartsOnly();
    await driver.open(host.url);
  } finally {
    await server.close();
    await rm(join(folder, 'live'), { recursive: true });
  }
});
