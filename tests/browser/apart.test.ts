/** Runs keep apart, whatever they are called; the same run is one; archives say what they lack. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileNames, pathOf } from '../support/bundles';
import { lyingZip } from '../support/hostileZip';
import { cutOff, entriesOf, oddNames, withoutHeaderOf } from '../support/zips';
import type { Driver } from './driver';
import { feedFile } from './feed';
import { useScene } from './scene';
import { type Host, singlePage } from './settings';
import { expectSoon } from './soon';

let host: Host;
let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

/** A copy of a recorded bundle in a folder of any name. */
async function copied(bundle: string, ...names: string[]): Promise<string> {
  const place = join(folder, ...names);
  await mkdir(place, { recursive: true });
  for (const file of await fileNames(bundle)) await cp(pathOf(bundle, file), join(place, file));
  return place;
}

async function written(content: Uint8Array, ...names: string[]): Promise<string> {
  const place = join(folder, ...names);
  await mkdir(join(place, '..'), { recursive: true });
  await writeFile(place, content);
  return place;
}

/** The names in the runs' menu, which is closed again. */
async function titles(): Promise<string[]> {
  await driver.click('run-chip');
  await driver.read('run-menu');
  const names = await driver.readAll('[data-testid="run-menu"] .menu-item b');
  await driver.key('Escape');
  await driver.gone('run-menu');
  return names;
}

let old: string;
let young: string;

beforeAll(async () => {
  old = await copied('ab-before', 'old', 'run');
  young = await copied('ab-after', 'new', 'run');
});

for (const [setting, address] of [
  ['hosted', () => host.url],
  ['from file:', () => singlePage],
] as const) {
  describe(`two folders of one name, ${setting}`, () => {
    it('dropped one after the other are two runs', async () => {
      await driver.open(address());
      await driver.drop([old]);
      await driver.read('run-chip', 'run');
      const before = await driver.read('tile-elapsed', /\d/);
      await driver.drop([young]);
      await expectSoon(titles).toEqual(['run', 'run (2)']);
      await driver.gone('notice');
      expect(await driver.read('tile-elapsed', /\d/)).not.toBe(before);
    });

    it('dropped at once, too, each with its own profiles', async () => {
      const alone = await copied('scale-1', 'alone', 'run');
      await driver.open(address());
      await driver.drop([old, alone]);
      await driver.read('view-compare');
      // Chromium itself gives names to what is dropped at once under one
      expect(await titles()).toEqual(['run', expect.stringMatching(/^run \([12]\)$/)]);
      await driver.click('tab-flame');
      await driver.read('flame-total', /samples/);
      await driver.click('run-chip');
      await driver.click('[data-testid="run-menu"] .menu-row:nth-child(2) .menu-item');
      await driver.read('absent', 'No profile in this bundle');
    });
  });
}

describe('archives', () => {
  it('that hold folders of one name are two runs, called after the archives', async () => {
    const first = await written(lyingZip(await entriesOf('ab-before', 'run')), 'a.zip');
    const second = await written(
      lyingZip(await entriesOf('ab-after', 'run', ['metrics.json'])),
      'b.zip',
    );
    await driver.open(host.url);
    await driver.drop([first, second]);
    await driver.read('view-compare');
    expect(await titles()).toEqual(['a.zip/run', 'b.zip/run']);
    await driver.read('[data-testid="compare-a"] option:checked', /a\.zip\/run/);
    const elapsed = await driver.read('compare-verdict');
    expect(elapsed).not.toMatch(/([\d.]+ s) → \1/);
    // closed, the other needs no longer name
    await driver.click('run-chip');
    await driver.click('[aria-label="Close b.zip/run"]');
    await expectSoon(() => driver.read('run-chip')).toMatch(/^run\b/);
  });

  for (const [how, make] of Object.entries(oddNames)) {
    it(`with names outside ASCII open: ${how}`, async () => {
      const zip = await make((name) => entriesOf('scale-1', name));
      await driver.open(host.url);
      await driver.drop([await written(zip, how, 'odd.zip')]);
      await driver.read('tile-elapsed', '28.4');
      await driver.read('run-chip', how === 'Latin-1' ? /mesur/ : 'mesuré');
    });
  }

  it('that are cut off show what can be read, and say so', async () => {
    const zip = lyingZip([
      ...(await entriesOf('scale-1', 'run')),
      ...(await entriesOf('ab-before', 'run', ['profile_merged.json.gz'])),
    ]);
    await driver.open(host.url);
    await driver.drop([await written(cutOff(zip), 'cut.zip')]);
    await driver.read(
      'partial-card',
      /The archive is cut off, or its directory is damaged: \d files were found in it, others may be missing\. cut\.zip/,
    );
    await driver.click('show-partial');
    await driver.read('tile-elapsed', '28.4');
    await driver.key('7');
    await driver.read('notes', /The archive is cut off/);
    await driver.read('notes', 'run/profile_merged.json');
  });

  it('with one bad checksum show the rest, and say which file is wrong', async () => {
    const entries = await entriesOf('scale-1', 'run');
    const zip = lyingZip(
      entries.map((one) => (String(one.name) === 'run/metrics.json' ? { ...one, crc: 1 } : one)),
    );
    await driver.open(host.url);
    await driver.drop([await written(zip, 'sum.zip')]);
    await driver.read('partial-card', /run\/metrics\.json.*Its checksum differs/);
    await driver.click('show-partial');
    await driver.read('tile-elapsed', '28.4');
    await driver.key('7');
    await driver.read('notes', /checksum differs.*run\/metrics\.json/);
  });

  it('with an overwritten header show the rest, and say what is missing', async () => {
    const zip = lyingZip(await entriesOf('ab-before', 'run'));
    await driver.open(host.url);
    await driver.drop([
      await written(withoutHeaderOf(zip, 'run/profile_merged.json.gz'), 'header.zip'),
    ]);
    await driver.read(
      'partial-card',
      /run\/profile_merged\.json.*It cannot be read: the archive holds something else at its position/,
    );
    await driver.click('show-partial');
    await driver.read('tile-elapsed', /\d/);
    await driver.key('7');
    await driver.read(
      'notes',
      /the archive holds something else at its position.*run\/profile_merged\.json/,
    );
  });
});

describe('folders', () => {
  it('are looked through without what is hidden in them', async () => {
    const place = await copied('scale-1', 'checked');
    await mkdir(join(place, '.ipynb_checkpoints'));
    await cp(
      pathOf('scale-2', 'metrics.json'),
      join(place, '.ipynb_checkpoints', 'metrics-checkpoint.json'),
    );
    await driver.open(host.url);
    await driver.drop([place]);
    await driver.read('tile-elapsed', '28.4');
    expect(await titles()).toEqual(['checked']);
    await driver.key('7');
    const files = await driver.read('sources', 'metrics.json');
    expect(files).not.toContain('checkpoint');
  });
});

describe('the same run again', () => {
  it('is brought to the front, with a word', async () => {
    await driver.open(host.url);
    await driver.drop([old]);
    await driver.read('tile-elapsed', /\d/);
    await driver.drop([pathOf('scale-1')]);
    await driver.read('run-chip', 'scale-1');
    await driver.drop([old]);
    await driver.read('notice', 'run is open already');
    await driver.read('run-chip', /^run\b/);
    expect(await titles()).toEqual(['run', 'scale-1']);
    await driver.click('notice-close');
    await driver.gone('notice');
    // from another place, and beside one that is new
    await driver.drop([await copied('scale-1', 'elsewhere', 'scale-1'), pathOf('scale-2')]);
    await driver.read('notice', 'scale-1 is open already');
    await driver.read('run-chip', 'scale-2');
    expect(await titles()).toEqual(['run', 'scale-1', 'scale-2']);
    // its metrics alone say nothing more
    await driver.drop([
      await written(lyingZip(await entriesOf('scale-2', 'scale-2', ['metrics.json'])), 'part.zip'),
    ]);
    await driver.read('notice', 'scale-2 is open already');
  });

  it('is another one when a byte differs', async () => {
    const place = await copied('scale-1', 'changed', 'run');
    await driver.open(host.url);
    await driver.drop([place]);
    await driver.read('tile-elapsed', '28.4');
    const metrics = join(place, 'metrics.json');
    const text = await readFile(metrics, 'utf8');
    await writeFile(
      metrics,
      text.replace(
        /("total_events": \d*)\d/,
        (all, most: string) => most + (Number(all.at(-1)) ^ 1),
      ),
    );
    await driver.open(host.url);
    await driver.drop([await copied('scale-1', 'unchanged', 'run')]);
    await driver.read('tile-elapsed', '28.4');
    await driver.drop([place]);
    await expectSoon(titles).toEqual(['run', 'run (2)']);
  });

  it('is one by its address, too', async () => {
    await driver.open(`${host.url}#url=samples/adaptive.zip`);
    await driver.read('run-chip', 'adaptive');
    await driver.evaluate('location.hash = "#url=./samples/adaptive.zip&view=chunks"');
    await driver.read('notice', 'adaptive is open already');
    expect(await titles()).toEqual(['adaptive']);
  });
});

describe('one run in several drops', () => {
  it('is put together when the rest is dropped on it', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1', 'metrics.json')]);
    await driver.read('tile-elapsed', '1 min 10.5 s');
    await driver.drop([pathOf('local-4x1', 'dask_profiles.json.gz')]);
    await driver.read('notice', 'dask_profiles.json.gz is open as a run of its own');
    await driver.read('notice-act', 'Add to ZprimeProcessor');
    await driver.click('notice-act');
    await expectSoon(titles).toEqual(['ZprimeProcessor']);
    await driver.click('tab-flame');
    await driver.read('flame-total', '14,343 samples');
    await driver.click('tab-summary');
    await driver.read('tile-elapsed', '1 min 10.5 s');
    // what makes no run alone
    await driver.drop([pathOf('local-4x1', 'start_end_time.txt')]);
    await driver.read('error', 'start_end_time.txt');
    await driver.click('add-dropped');
    await driver.gone('error');
    await driver.key('7');
    await driver.read('sources', 'start_end_time.txt');
    expect(await titles()).toEqual(['ZprimeProcessor']);
  });

  it('also when the first came in an archive that holds others', async () => {
    const both = lyingZip([
      ...(await entriesOf('scale-1', 'one', ['metrics.json'])),
      ...(await entriesOf('scale-2', 'two')),
    ]);
    await driver.open(host.url);
    await driver.drop([await written(both, 'both.zip')]);
    await driver.read('view-compare');
    await driver.click('tab-summary');
    await driver.drop([pathOf('ab-before', 'profile_merged.json.gz')]);
    await driver.click('notice-act');
    await expectSoon(titles).toEqual(['one', 'two']);
    await driver.read('run-chip', 'one');
    await driver.click('tab-flame');
    await driver.read('flame-total', /samples/);
  });
});

describe('reports', () => {
  it('open again when they are dropped, runs of one name apart', async () => {
    await driver.open(host.url);
    await driver.drop([old, young]);
    await driver.read('view-compare');
    const numbers = await driver.read('compare-verdict', /\d/);
    await driver.click('share-button');
    const { content } = await driver.save('report-save');
    const report = await written(content, 'report.html');
    await driver.open(host.url);
    await driver.drop([report]);
    await driver.read('compare-verdict', numbers);
    expect(await titles()).toEqual(['run', expect.stringMatching(/^run \([12]\)$/)]);
    await driver.drop([report]);
    await driver.read('notice', /are open already/);
  });

  it('keep the names that tell their runs apart', async () => {
    const first = await written(lyingZip(await entriesOf('ab-before', 'run')), 'a.zip');
    const second = await written(lyingZip(await entriesOf('ab-after', 'run')), 'b.zip');
    await driver.open(host.url);
    await driver.drop([first, second]);
    await driver.read('view-compare');
    await driver.click('share-button');
    const { content } = await driver.save('report-save');
    await driver.open(singlePage);
    await driver.drop([await written(content, 'named.html')]);
    await driver.read('view-compare');
    expect(await titles()).toEqual(['a.zip/run', 'b.zip/run']);
  });
});

describe('links', () => {
  it('name only what is open, and open what was closed', async () => {
    await driver.open(`${host.url}#url=samples/adaptive.zip&view=chunks`);
    await driver.read('view-compute');
    await driver.click('run-chip');
    await driver.click('[aria-label="Close adaptive"]');
    await driver.read('start');
    await expectSoon(driver.address).not.toContain('adaptive');
    await driver.evaluate('location.hash = "#url=samples/adaptive.zip&view=chunks"');
    await driver.read('view-compute');
    await driver.read('run-chip', 'adaptive');
  });

  it('that overtake one another hold alone', async () => {
    const feed = await feedFile(pathOf('local-4x1', 'metrics.json'), 'slow/metrics.json');
    try {
      await driver.open(`${host.url}#url=${encodeURIComponent(feed.url)}&view=chunks&select=1:2`);
      await feed.more(1000);
      await driver.read('progress');
      await driver.evaluate('location.hash = "#url=samples/adaptive.zip&view=timelines"');
      await driver.read('view-timelines');
      await driver.read('run-chip', 'adaptive');
      await driver.gone('chip-time-clear');
      await driver.gone('awaited');
    } finally {
      await feed.close();
    }
  });
});
