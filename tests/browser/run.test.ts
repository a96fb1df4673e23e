/** What a user does with a run: reads it, narrows it, looks into its profiles and takes them elsewhere. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import { type Host, singlePage } from './settings';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

interface SpeedscopeFile {
  shared: { frames: { name: string }[] };
  profiles: { name: string; samples: number[][]; weights: number[] }[];
}

/** Total and self of every frame whose name no other has, as the viewer writes numbers. */
function totals({ shared, profiles: [profile] }: SpeedscopeFile): Map<string, { total: string; self: string }> {
  const total = shared.frames.map(() => 0);
  const self = shared.frames.map(() => 0);
  for (const [index, stack] of (profile?.samples ?? []).entries()) {
    const weight = profile?.weights[index] ?? 0;
    for (const frame of new Set(stack)) total[frame] = (total[frame] ?? 0) + weight;
    const leaf = stack.at(-1);
    if (leaf !== undefined) self[leaf] = (self[leaf] ?? 0) + weight;
  }
  const names = shared.frames.map((frame) => frame.name);
  const shown = (value = 0) => value.toLocaleString('en-US');
  return new Map(
    names.flatMap((name, frame) =>
      names.indexOf(name) === names.lastIndexOf(name)
        ? [[name, { total: shown(total[frame]), self: shown(self[frame]) }]]
        : [],
    ),
  );
}

for (const [setting, address] of [
  ['hosted', () => host.url],
  ['from file:', () => singlePage],
] as const) {
  describe(`a run, ${setting}`, () => {
    it('is dropped and read, narrowed to a range, and its profiles leave for speedscope', async () => {
      await driver.open(address());
      await driver.drop([pathOf('local-4x1')]);

      await driver.read('tile-elapsed', '1 min 10.5 s');
      await driver.read('tile-events', '2.14 M');
      await driver.read('tile-event-rate', '30.4 kHz');
      await driver.read('summary-row-num_chunks', '214');
      await driver.read('summary-row-peak_workers', '4');
      await driver.read('filter-chunks', /^214/);

      await driver.key('2');
      await driver.drag('track-cores', 0.25, 0.5);
      const range = await driver.read('chip-time', /Time [\d.]+–[\d.]+ s ✕/);
      const [begin = 0, end = 0] = (range.match(/[\d.]+/g) ?? []).map(Number);
      expect(end - begin).toBeGreaterThan(10);
      expect(end - begin).toBeLessThan(30);
      await driver.read('selection-text', /^Selection [12]\d\.\d s mean/);
      const narrowed = await driver.read('filter-chunks', /^(?!214)\d+/);
      expect(Number.parseInt(narrowed, 10)).toBeLessThan(214);
      await driver.key('Escape');
      await driver.read('filter-chunks', /^214/);

      await driver.click('tab-flame');
      await driver.read('flame-total', '14,343 samples');
      const worker = await driver.value('[data-testid="profile-select"] option:nth-child(2)');
      await driver.select('profile-select', worker);
      const shown = await driver.read('flame-total', /^(?!14,343)[\d,]+ samples/);
      const total = Number(shown.replace(/[^\d]/g, ''));

      await driver.click('export');
      const { name, content } = await driver.save('export-speedscope-one');
      expect(name).toMatch(/\.speedscope\.json$/);
      const file = JSON.parse(new TextDecoder().decode(content)) as SpeedscopeFile;
      expect(file.profiles).toHaveLength(1);
      expect(file.profiles[0]?.weights.reduce((sum, weight) => sum + weight, 0)).toBe(total);

      const viewer = await serveSpeedscope(content);
      try {
        await driver.open(viewer.url);
        await driver.read('body > div', '%)');
        const expected = totals(file);
        let compared = 0;
        for (const row of await driver.readAll('table tr')) {
          const [, total, self, frame = ''] = /^([\d,]+) \(.*?\) ([\d,]+) \(.*?\) (.+)$/.exec(row) ?? [];
          if (!expected.has(frame)) continue;
          expect({ frame, total, self }).toEqual({ frame, ...expected.get(frame) });
          compared += 1;
        }
        expect(compared).toBeGreaterThan(10);
      } finally {
        await viewer.close();
      }
    });
  });
}

/** The real viewer with `profile` opened in it, both of one origin. */
async function serveSpeedscope(profile: Uint8Array): Promise<Host> {
  const release = fileURLToPath(new URL('../../node_modules/speedscope/dist/release/', import.meta.url));
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.wasm': 'application/wasm',
  };
  const server: Server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || 'index.html';
    const content = name === 'profile.json' ? Promise.resolve(profile) : readFile(join(release, name));
    content.then(
      (bytes) => response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the viewer is not served');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/#view=sandwich&profileURL=${encodeURIComponent(`${origin}/profile.json`)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
