/** A run is followed while it is recorded. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allRows, growingFiles, planned } from '../support/growing';
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

/** A cell of a notebook: the page in a frame that may fetch nothing, and the script around it. */
const cell = (
  script: string,
) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>notebook</title>
<iframe name="crema-1" src="crema.html#embed" sandbox="allow-scripts" width="1200" height="700"></iframe>
<script>(${script.trim()})('crema-1', {name: 'live', folders: ['live.unfinished/', 'live/'], since: 0});</script>`;

it('in a notebook: the page around it reads the folder, also before the recording begins', async () => {
  const hostScript = await readFile('python/cremascope/host.js', 'utf8');
  const page = await readFile(`${dist}crema.html`, 'utf8');
  const pages = { '/notebook.html': cell(hostScript), '/crema.html': page };
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
    const complaints = await driver.complaints();
    expect(complaints.filter((one) => !one.includes('status of 404'))).toEqual([]);
    await driver.open(host.url);
  } finally {
    await server.close();
  }
});
