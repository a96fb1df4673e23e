/** A run is followed while it is recorded. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allRows, growingFiles, planned } from '../support/growing';
import type { Driver } from './driver';
import { useScene } from './scene';
import { serve } from './serve';
import type { Host } from './settings';

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
  await write('live', 12);
  const server = await serve({ folder, headers: { 'access-control-allow-origin': '*' } });
  try {
    await driver.open(`${host.url}#url=${encodeURIComponent(`${server.url}live/`)}`);
    await driver.read('live', /Live/);
    await driver.read('live-progress', new RegExp(`% of ${chunks} chunks done`));
    await driver.read('progress', new RegExp(`of ${planned[0]?.tasks}`));
    const before = Number.parseInt(await driver.read('filter-chunks', /^\d+/), 10);
    await write('live', 24);
    await driver.read('filter-chunks', new RegExp(`^(?!${before}\\b)\\d+`));
    await driver.click('live-pause');
    await driver.read('live', /Paused/);
    await driver.key('l');
    await driver.read('live', /Live/);
    await write('live', allRows, { state: 'complete' });
    await driver.read('filter-chunks', new RegExp(`^${chunks}`));
    await driver.gone('live');
    const first = server.asked.filter((path) => path.endsWith('tasks-000000.json.gz'));
    expect(first).toHaveLength(1);
  } finally {
    await server.close();
    await rm(join(folder, 'live'), { recursive: true });
  }
});
