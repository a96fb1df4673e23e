/** A run leaves in one file, and says the same wherever that is opened. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fileNames, pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import { type Host, singlePage } from './settings';
import { settled } from './soon';

let host: Host;
let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

const headline = {
  'tile-elapsed': '1 min 10.5 s',
  'tile-event-rate': '30.4 kHz 2.14 M events',
  'summary-row-num_chunks': '214',
  'summary-row-peak_workers': '4',
};

async function readHeadline(): Promise<void> {
  await driver.read('all-numbers', 'values');
  // what is folded is not read
  await driver.evaluate(`document.querySelector('[data-testid="all-numbers"]').open = true`);
  for (const [target, value] of Object.entries(headline)) await driver.read(target, value);
}

/** Saves the report that the page offers, opens it from disk and returns its text. */
async function saveAndOpen(name: string): Promise<string> {
  await driver.click('share-button');
  const { content } = await driver.save('report-save');
  const path = join(folder, name);
  await writeFile(path, content);
  await driver.open(pathToFileURL(path).href);
  return readFile(path, 'utf8');
}

/** The files in a report, unpacked, as texts by their paths. */
function filesIn(report: string): Map<string, string> {
  const written =
    /<script type="application\/json" id="crema-report">([^<]*)<\/script>/.exec(report)?.[1] ?? '';
  const { files } = JSON.parse(written) as { files: { path: string; data: string }[] };
  return new Map(
    files.map(({ path, data }) => [path, gunzipSync(Buffer.from(data, 'base64')).toString('utf8')]),
  );
}

for (const [setting, address] of [
  ['hosted', () => host.url],
  ['from file:', () => singlePage],
] as const) {
  describe(`a report saved from the page, ${setting}`, () => {
    it('opens from disk with the same numbers, at the same view, and can be saved again', async () => {
      await driver.open(address());
      await driver.drop([pathOf('local-4x1')]);
      await readHeadline();
      const report = await saveAndOpen('report.html');
      await readHeadline();
      const files = filesIn(report);
      expect([...files.keys()].sort()).toContain('local-4x1/metrics.json');
      expect(files.get('local-4x1/metrics.json')).toBe(
        await readFile(pathOf('local-4x1', 'metrics.json'), 'utf8'),
      );

      await driver.key('2');
      await driver.read('track-cores');
      await settled(driver);
      await driver.drag('track-cores', 0.25, 0.5);
      const range = await driver.read('chip-time', /[\d.]+–[\d.]+ s/);
      const again = await saveAndOpen('again.html');
      await driver.read('view-timelines');
      await driver.read('chip-time', range);
      expect(again.split('id="crema-report">').length).toBe(2);
      // what the address says comes first
      await driver.open(`${pathToFileURL(join(folder, 'again.html')).href}#view=chunks`);
      await driver.read('view-compute');
    });

    it('names nobody when names are hidden, and counts the same', async () => {
      const named = join(folder, String(setting.length), 'secret');
      await mkdir(named, { recursive: true });
      for (const file of await fileNames('local-4x1')) {
        const target = join(named, file);
        if (/\.(json|txt)$/.test(file)) {
          const text = await readFile(pathOf('local-4x1', file), 'utf8');
          await writeFile(target, text.replaceAll('/home/user/', '/home/jdoe/plan/'));
        } else await cp(pathOf('local-4x1', file), target);
      }
      await driver.open(address());
      await driver.drop([named]);
      await readHeadline();
      await driver.click('share-button');
      await driver.click('report-hide');
      await driver.type('report-words', 'secret, none');
      const { name, content } = await driver.save('report-save');
      expect(name).toBe('crema-report.html');
      const path = join(folder, `hidden-${setting.length}.html`);
      await writeFile(path, content);
      const files = filesIn(await readFile(path, 'utf8'));
      expect(files.size).toBeGreaterThan(1);
      for (const [file, text] of files) {
        expect(file).not.toMatch(/secret/);
        for (const word of ['jdoe', '/plan/'])
          expect(text.includes(word), `${word} in ${file}`).toBe(false);
      }
      expect(
        files.get('hidden1/metrics.json')?.includes('/home/user1/folder'),
        'another name',
      ).toBe(true);
      await driver.open(pathToFileURL(path).href);
      await readHeadline();
      await driver.key('5');
      await driver.read('filter-chunks', /^214/);
    });
  });
}

it('two runs side by side stay so', async () => {
  await driver.open(`${host.url}#url=samples/before-after.zip&view=compare`);
  const before = await driver.read('compare-verdict', /\d/);
  await saveAndOpen('compare.html');
  await driver.read('view-compare');
  await driver.read('compare-verdict', before);
});

it('the command line writes the same', async () => {
  const program = fileURLToPath(new URL('../../build/native/crema', import.meta.url));
  const out = join(folder, 'headless.html');
  const bundle = join(folder, 'local-4x1');
  await mkdir(bundle);
  for (const file of await fileNames('local-4x1'))
    await cp(pathOf('local-4x1', file), join(bundle, file));
  const page = fileURLToPath(singlePage);
  const args = ['export', bundle, '--to', 'html', '--page', page, '--select', '10:60', '-o', out];
  await promisify(execFile)(program, args);
  expect((await readdir(folder)).includes('headless.html')).toBe(true);
  const files = filesIn(await readFile(out, 'utf8'));
  expect(files.get('local-4x1/metrics.json')).toBe(
    await readFile(pathOf('local-4x1', 'metrics.json'), 'utf8'),
  );
  await driver.open(pathToFileURL(out).href);
  await driver.read('chip-time', '10.0–60.0 s');
  await driver.key('Escape');
  await readHeadline();
});
