/** Opening, in all its ways, and what is said when it fails. */
import { cp, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeMetrics } from '../bench/generate.mjs';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { feedFile } from './feed';
import { useScene } from './scene';
import { dist, readableByAll, serve } from './serve';
import { type Host, singlePage } from './settings';
import { expectSoon, pageIsKept, settled } from './soon';

const samples = fileURLToPath(new URL('../../public/samples/', import.meta.url));

let host: Host;
let folder: string;
let driver: Driver;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('hosted', () => {
  it('starts, and a sample is one click away', async () => {
    await driver.open(host.url);
    await driver.click('sample-local-4x1');
    await driver.read('run-chip', 'local-4x1');
    await driver.read('tile-elapsed', /1 min 10\.5 s/);
  });

  it('opens without a network once it was open', async () => {
    const server = await serve({ folder: dist });
    await driver.open(server.url);
    await pageIsKept(driver);
    await server.close();
    await driver.reload();
    await driver.drop([pathOf('local-4x1')]);
    await driver.read('tile-elapsed', /1 min 10\.5 s/);
    // what the first view does not need was kept, too
    await driver.click('tab-flame');
    await driver.read('view-flame', /All frames/);
    // samples are not kept, and the browser complains that their list cannot be had
    expect(await driver.complaints()).toHaveLength(1);
    await driver.open(host.url);
  });

  it('opens every sample', async () => {
    // two runs are shown side by side
    for (const [sample, tile] of [
      ['adaptive', 'tile-elapsed'],
      ['before-after', 'compare-verdict'],
    ] as const) {
      await driver.open(host.url);
      await driver.click(`sample-${sample}`);
      await driver.read(tile, /\d/);
    }
  });

  it('opens what a link names', async () => {
    for (const url of ['samples/adaptive.zip', `${host.url}samples/adaptive.zip`]) {
      await driver.open(`${host.url}#url=${encodeURIComponent(url)}`);
      await driver.read('run-chip', 'adaptive');
    }
  });

  it('goes back and forward through views and selections', async () => {
    await driver.open(`${host.url}#url=samples/adaptive.zip&view=summary`);
    await driver.read('view-summary');
    await driver.key('2');
    await driver.read('track-cores');
    await settled(driver);
    await driver.drag('track-cores', 0.25, 0.5);
    await driver.read('chip-time-clear');
    await driver.key('5');
    await driver.read('view-compute');
    await driver.back();
    await driver.read('view-timelines');
    await driver.read('chip-time-clear');
    await driver.back();
    await driver.gone('chip-time-clear');
    await driver.back();
    await driver.read('view-summary');
    await driver.forward();
    await driver.forward();
    await driver.read('view-timelines');
    await driver.read('chip-time-clear');
    await expectSoon(driver.address).toMatch(/view=timelines&select=\d/);
  });

  it('asks for the files of a link that cannot be loaded, and then shows what it says', async () => {
    const gone = encodeURIComponent(`${host.url}runs/local-4x1.zip`);
    await driver.open(`${host.url}#v=1&url=${gone}&view=chunks&t=10~30`);
    await driver.read('error', 'local-4x1.zip');
    await driver.read(
      'awaited',
      /This link needs local-4x1\.zip .* the view Data › Compute and the filter \(10\.0–30\.0 s\)/,
    );
    await driver.drop([pathOf('local-4x1')]);
    await driver.read('view-compute');
    await driver.read('chip-time', '10');
    await expectSoon(driver.address).toContain('name=local-4x1&view=compute&select=10:30');
    const address = await driver.address();
    // the link of a run from files asks for them by name
    await driver.open(address);
    await driver.read('awaited', 'This link needs local-4x1');
    await driver.click('forget-link');
    await driver.gone('awaited');
    await driver.drop([pathOf('local-4x1')]);
    await driver.read('view-summary');
    await driver.gone('chip-time-clear');
  });

  it('says what is wrong with an address', async () => {
    await driver.open(`${host.url}#url=${encodeURIComponent(`${host.url}samples/none.zip`)}`);
    await driver.read('error', 'none.zip');
  });

  it('opens addresses of other servers that allow it, and says what failed where it cannot', async () => {
    const [open, closed] = await Promise.all([
      serve({ folder: samples, headers: readableByAll }),
      serve({ folder: samples }),
    ]);
    try {
      const link = (...urls: string[]) =>
        `${host.url}#${urls.map((url) => `url=${encodeURIComponent(url)}`).join('&')}`;
      await driver.open(link(`${open.url}local-4x1.zip`, `${open.url}adaptive.zip`));
      await driver.read('view-compare');
      await driver.click('run-chip');
      await driver.read('run-menu', /local-4x1.*adaptive|adaptive.*local-4x1/);
      await driver.open(link(`${closed.url}adaptive.zip`));
      await driver.read(
        'error',
        'adaptive.zip: the server answers, but does not allow this page to read the answer (CORS)',
      );
      await driver.open(link('http://127.0.0.1:1/adaptive.zip'));
      await driver.read(
        'error',
        'adaptive.zip: cannot be fetched: there is no such server, it does not answer',
      );
      await driver.open(link(`${open.url}none.zip`));
      await driver.read('error', 'none.zip: the server answers 404');
      await driver.open(link(`${open.url}none.zip`, `${open.url}adaptive.zip`));
      await driver.read('run-chip', 'adaptive');
      await driver.key('7');
      await driver.read('notes', 'none.zip: the server answers 404');
    } finally {
      // the browser complains of what was refused; so it shall
      await driver.open(host.url);
      await open.close();
      await closed.close();
    }
  });

  it('says that the page in one file may fetch nothing', async () => {
    await driver.open(
      `${singlePage}#url=${encodeURIComponent(`${host.url}samples/adaptive.zip`)}&view=chunks`,
    );
    await driver.read('error', 'This page is one file, and its own policy forbids network access');
    await driver.read('awaited', 'This link needs adaptive.zip');
  });

  it('works under any path', async () => {
    const site = await serve({ folder: dist, under: '/some/repo/' });
    try {
      await driver.open(site.url);
      await driver.click('sample-adaptive');
      await driver.read('tile-elapsed', /\d/);
      await expectSoon(driver.address).toBe(
        `${site.url}#v=2&url=samples%2Fadaptive.zip&view=summary`,
      );
      await driver.click('share-button');
      await driver.save('report-save');
      await driver.open(`${site.url}crema.html`);
      await driver.read('start');
      expect(site.asked.every((path) => path.startsWith('/some/repo/'))).toBe(true);
    } finally {
      await site.close();
    }
  });

  it('opens chosen files', async () => {
    await driver.open(host.url);
    await driver.choose('open-files', [
      pathOf('scale-1', 'metrics.json'),
      pathOf('scale-1', 'start_end_time.txt'),
    ]);
    await driver.read('tile-elapsed', /28\.4/);
  });
});

for (const [setting, address] of [
  ['hosted', () => host.url],
  ['from file:', () => singlePage],
] as const) {
  describe(`dropped, ${setting}`, () => {
    const drops: Record<string, () => string[]> = {
      'a folder': () => [pathOf('local-4x1')],
      'a .zip': () => [join(samples, 'local-4x1.zip')],
      'a single metrics.json': () => [pathOf('local-4x1', 'metrics.json')],
    };
    for (const [what, paths] of Object.entries(drops)) {
      it(`opens ${what}`, async () => {
        await driver.open(address());
        await driver.drop(paths());
        await driver.read('tile-elapsed', /1 min 10\.5 s/);
      });
    }

    it('opens compressed profiles alone', async () => {
      await driver.open(address());
      await driver.drop([pathOf('ab-before', 'profile_merged.json.gz')]);
      await driver.click('tab-flame');
      await driver.read('flame-total', /samples/);
    });

    it('tells loose files of one name apart', async () => {
      await driver.open(address());
      await driver.drop([pathOf('local-4x1', 'metrics.json')]);
      await driver.read('run-chip', 'ZprimeProcessor');
      await driver.read('tile-elapsed', '1 min 10.5 s');
      await driver.drop([pathOf('scale-2', 'metrics.json')]);
      await driver.read('tile-elapsed', '14.5');
      await driver.click('run-chip');
      await driver.read('run-menu', /ZprimeProcessor .*1 min 10\.5 s · 214 chunks · 618 kB/);
    });

    it('opens several runs at once', async () => {
      await driver.open(address());
      await driver.drop(['scale-1', 'scale-2', 'scale-4'].map((name) => pathOf(name)));
      await driver.click('run-chip');
      const menu = await driver.read('run-menu');
      for (const name of ['scale-1', 'scale-2', 'scale-4']) expect(menu).toContain(name);
    });

    it('names what cannot be opened, and the next drop works', async () => {
      await driver.open(address());
      const broken = [
        await write('empty.json', ''),
        await write('notes.md', '# Notes'),
        await write('package.json', '{"name": "something else"}'),
        await write('deep.json', '['.repeat(10_000)),
      ];
      await driver.drop(broken);
      const sentence = await driver.read('error');
      for (const name of ['empty.json', 'notes.md', 'package.json', 'deep.json'])
        expect(sentence).toContain(name);
      await driver.drop([pathOf('scale-1')]);
      await driver.read('tile-elapsed');
    });

    it('shows what could be read of a file that is cut off', async () => {
      const cut = join(folder, 'metrics.json');
      await cp(pathOf('local-4x1', 'metrics.json'), cut);
      await truncate(cut, 500_000);
      await driver.open(address());
      await driver.drop([cut]);
      await driver.read('partial-card', /cut off.* at byte 500,000/);
      // what has just failed comes first, one card at a time
      await driver.drop([await write('notes.md', '# Notes')]);
      await driver.read('error', 'notes.md: its content was not recognised');
      await driver.gone('partial-card');
      await driver.key('Escape');
      await driver.read('partial-card');
      await driver.click('show-partial');
      await driver.read('view-summary');
      await driver.read('partial', 'metrics.json');
      await driver.click('run-chip');
      await driver.read('run-menu', 'partial');
      await driver.key('Escape');
      await driver.key('7');
      await driver.read('notes', /cut off/i);
    });
  });
}

describe('while a large file is read', () => {
  it('says how far it is and what it knows already, and can be cancelled', async () => {
    const file = join(folder, 'large.json');
    const bytes = await writeMetrics(file, { workers: 160, ticks: 800, chunks: 5000 });
    expect(bytes).toBeGreaterThan(80e6);
    const feed = await feedFile(file, 'large/metrics.json');
    try {
      await driver.open(`${host.url}#url=${encodeURIComponent(feed.url)}`);
      const shown = async () => (await driver.readAll('progress')).join();
      // piece by piece, until the page has had the time to say so, and long enough for a rate
      while (!/tracking_data\.worker_/.test(await shown()) || !/ left/.test(await shown()))
        await feed.more(256e3);
      const total = (bytes / 1e6).toFixed(1);
      expect(await shown()).toMatch(
        new RegExp(
          `Reading large/metrics.json [\\d.]+ .B of ${total} MB · .* % [\\d.]+ .?B/s · .* left`,
        ),
      );
      expect(await shown()).toContain('recognised as metrics · tracking_data.worker_');
      while ((await driver.readAll('loading-tiles')).length === 0) await feed.more(256e3);
      await driver.read('loading-elapsed', /13 min 19.* as stored · loading/);
      await driver.read('loading-process', 'when all is read');
      await driver.gone('budget');
      await driver.click('cancel');
      await driver.gone('progress');
      await driver.read('start');

      await driver.open(`${host.url}#url=${encodeURIComponent(feed.url)}`);
      await driver.read('progress');
      await feed.more(bytes);
      await driver.read('run-chip', 'large');
      await driver.read('tile-event-rate', '50.0 M events');
      await driver.read('budget', 'Inside process()');
      await driver.gone('loading-tiles');
    } finally {
      await feed.close();
    }
  });
});
