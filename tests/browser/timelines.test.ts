/** The timelines under a real mouse and keyboard, with the command line as the judge of numbers. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { metricsPieces } from '../bench/generate.mjs';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import { singlePage } from './settings';
import { expectSoon, settled } from './soon';

let driver: Driver;
let folder: string;
useScene((scene) => {
  driver = scene.driver;
  folder = scene.folder;
});

const program = fileURLToPath(new URL('../../build/native/crema', import.meta.url));

/** The columns of an answer of the command line. */
async function ask(bundle: string, question: string, ...options: string[]) {
  const args = [
    'ask',
    bundle,
    question,
    ...options.flatMap((option) => ['--option', option]),
    '--json',
  ];
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1 << 28 });
  const { columns } = JSON.parse(stdout) as {
    columns: { name: string; values: (number | string)[] }[];
  };
  return (name: string) => columns.find((column) => column.name === name)?.values ?? [];
}

async function openTimelines(bundle: string, address = singlePage) {
  await driver.open(address);
  await driver.drop([bundle]);
  await driver.read('filter-chunks');
  if (address === singlePage) await driver.key('2');
  await driver.read('track-cores', /mean|of/);
  // the tracks below move until all are there
  await settled(driver);
}

const small = () => pathOf('local-4x1');

describe('timelines', () => {
  it('zoom no further than the run goes, whatever a link selects', async () => {
    await openTimelines(small());
    await driver.evaluate(`location.hash += '&select=50:100000'; 0`);
    await driver.read('range-panel');
    await driver.key('z');
    await driver.read('[data-testid="reset-zoom"]:not([disabled])');
    await expectSoon(driver.address).toMatch(/&z=50~[67]\d(\.\d*)?(&|$)/);
  });

  it('narrow everything to a brushed range, and undo takes it back', async () => {
    await openTimelines(small());
    await driver.drag('tracks', 0.25, 0.5);
    await driver.read('selection-text', /^Selection 1\d\.\d s mean/);
    expect(Number.parseInt(await driver.read('filter-chunks', /^(?!214)\d+/), 10)).toBeLessThan(
      214,
    );
    await expectSoon(driver.address).toMatch(/[#&]select=\d/);
    await driver.read('range-panel', /This range .*Inside process\(\) \d+\.\d % 84\.3 %/);
    await driver.read('why-verdict', /chunks/);
    await driver.key('z');
    await driver.read('[data-testid="reset-zoom"]:not([disabled])');
    await driver.key('0');
    await driver.read('[data-testid="reset-zoom"][disabled]');
    await driver.key('Control+z');
    await driver.read('filter-chunks', /^214/);
    await driver.key('Control+Shift+z');
    await driver.read('filter-chunks', /^(?!214)\d+/);
    await driver.key('Escape');
    await driver.read('filter-chunks', /^214/);
    await driver.gone('range-panel');
  });

  it('fill the cores with the parts of the core-time: idle is what ran nothing', async () => {
    await openTimelines(pathOf('adaptive'));
    for (const part of [
      'Inside process()',
      'Outside process()',
      'Repeated work',
      'Other tasks',
      'Idle',
    ])
      await driver.read('track-cores', part);
    // from 8 to 18 s five cores were there, three of ten core-seconds did what was done again
    await driver.open(`${singlePage}#view=timelines&select=8:18`);
    await driver.drop([pathOf('adaptive')]);
    const parts = await ask(pathOf('adaptive'), 'core_time_tree', 'depth=1');
    expect(parts('label').slice(1)).toEqual([
      'Inside process()',
      'Outside process()',
      'Repeated work',
      'Other tasks',
      'Idle',
    ]);
    await driver.read(
      'range-panel',
      /This range 50\.0 core-s .*Repeated work 32\.0 % 28\.4 %.*Idle 0\.8 % 4\.9 %/,
    );
  });

  it('read at the cursor what the command line answers, tick by tick', async () => {
    await openTimelines(small());
    const memory = await ask(small(), 'worker_spread', 'series=memory');
    await driver.point('tracks', 0.5, 0.02, 'click');
    for (const keyName of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'ArrowLeft']) {
      const before = await driver.read('cursor');
      await driver.key(keyName);
      const shown = await driver.read('cursor', new RegExp(`^(?!${before})Cursor [\\d.]+ s`));
      const moment = Number(/[\d.]+/.exec(shown)?.[0]);
      const tick = memory('t').findIndex((t) => Math.abs(Number(t) - moment) <= 0.051);
      expect(tick).toBeGreaterThan(0);
      const mebibytes = Number(memory('mean')[tick]) / 2 ** 20;
      await driver.read('read-memory', new RegExp(`^${mebibytes.toFixed(0)}$`));
    }
    await driver.point('tracks', 0.75, 0.02, 'click');
    await driver.read('measure-text', /^Between pins \d+\.\d s mean [\d.]+ [kM]B\/s/);
    await driver.key('Escape');
    await driver.gone('measure-text');
  });

  it('show many workers as a heat map, in the order that is asked for, or as their mean', async () => {
    const bundle = join(folder, 'metrics.json');
    await writeFile(
      bundle,
      [...metricsPieces({ workers: 60, ticks: 60, chunks: 600, compact: true })].join(''),
    );
    await openTimelines(bundle);
    for (const sort of ['peak', 'name', 'mean']) {
      await driver.select('sort-cpu', sort);
      const rows = await ask(bundle, 'worker_matrix', 'series=cpu_share', `sort=${sort}`);
      await driver.read(`[data-testid="heat-cpu"][data-first="${rows('worker')[0]}"]`);
    }
    await driver.gone('form-cpu-lines');
    await settled(driver);
    await driver.point('heat-cpu', 0.5, 0.5, 'click');
    await driver.read('chip-worker', /Worker tcp:/);
    await driver.key('Escape');
    await driver.click('form-cpu-mean');
    await driver.gone('heat-cpu');
  });

  it('pin a chunk on its lane, which Enter shows among the chunks', async () => {
    await openTimelines(small());
    const chunks = await ask(small(), 'chunks');
    const throughput = await ask(small(), 'throughput', 'bins=1');
    const longest = chunks('duration').indexOf(Math.max(...chunks('duration').map(Number)));
    const middle = (Number(chunks('t_start')[longest]) + Number(chunks('t_end')[longest])) / 2;
    const lanes = Math.max(...chunks('lane').map(Number)) + 1;
    const across = middle / Number(throughput('t1')[0]);
    await driver.click('bar-kind-chunks');
    await settled(driver);
    await driver.point(
      'gantt-chunks',
      across,
      (Number(chunks('lane')[longest]) + 0.4) / lanes,
      'click',
    );
    await driver.read('chunk-tooltip', 'Enter shows it');
    const told = await driver.read('chunk-tooltip', String(chunks('dataset')[longest]));
    expect(told).toContain(`chunk ${longest}`);
    await driver.key('Enter');
    await driver.read('filter-chunks', /^1\b/);
    await expectSoon(driver.address).toContain('view=compute');
  });

  it('show the recorded task stream where there is one', async () => {
    await openTimelines(pathOf('adaptive'));
    await driver.read('worker-marks', /\d joined \d left/);
    const tasks = await ask(pathOf('adaptive'), 'tasks');
    const threads = Math.max(...tasks('lane').map(Number)) + 1;
    await driver.read('track-workers', `${threads} threads, recorded`);
    await driver.click('bar-kind-chunks');
    await driver.read('track-chunks', /inferred lanes/);
    await driver.read('track-workers', 'when they were there');
  });

  it('come back from a link as they were', async () => {
    await openTimelines(small());
    await driver.wheel('tracks', -400, 'Control');
    await driver.point('tracks', 0.4, 0.02, 'click');
    await driver.point('tracks', 0.6, 0.02, 'click');
    await driver.click('form-memory-mean');
    await driver.click('fold-event-rate');
    await driver.click('clock-clock');
    await settled(driver);
    const measured = await driver.read('measure-text');
    await driver.read('[data-testid="reset-zoom"]:not([disabled])');
    await expectSoon(driver.address).toMatch(
      /&z=[\d.~]+&pin=.*&fold=event-rate\.1&form=memory\.mean&clock/,
    );
    const link = await driver.address();
    await openTimelines(small(), link);
    await expectSoon(() => driver.read('measure-text')).toBe(measured);
    await driver.read('[data-testid="reset-zoom"]:not([disabled])');
    await driver.read('[data-testid="form-memory-mean"].on');
    await driver.read('[data-testid="fold-event-rate"][aria-expanded="false"]');
    await driver.read('[data-testid="clock-clock"].on');
    await expectSoon(driver.address).toBe(link);
  });

  it('say what is missing and how it is recorded', async () => {
    await openTimelines(pathOf('no-tracking'));
    await driver.read('absent-workers', /not recorded.*track_workers/);
    await openTimelines(join(pathOf('no-tracking'), 'metrics.json'));
    await driver.read('timelines-verdict', 'When workers came and went was not recorded.');
    await openTimelines(pathOf('no-decorator'));
    await driver.read('absent-chunks', /not recorded.*@track_metrics/);
  });

  it('leave a track as a picture and as numbers', async () => {
    await openTimelines(small());
    await driver.click('menu-track-memory');
    const picture = await driver.save('svg-track-memory');
    expect(new TextDecoder().decode(picture.content)).toMatch(/<svg[\s\S]*Memory/);
    await driver.click('menu-track-memory');
    const numbers = new TextDecoder().decode((await driver.save('csv-track-memory')).content);
    expect(numbers.split('\r\n')[0]).toBe(
      't [s],workers [count],total [byte],mean [byte],p10 [byte],p90 [byte],min [byte],max [byte]',
    );
  });
});
