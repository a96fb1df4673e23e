/** Runs side by side: what the page says of several is what the core says of them. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import type { RunId } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import { rowsOf } from '../../web/engine/table';
import {
  columnDecimals,
  coreTime,
  duration,
  durationRange,
  fixed,
  percent,
} from '../../web/plot/format';
import {
  changesOf,
  judgement,
  relativeText,
  splitOf,
  valueText,
} from '../../web/views/compare/changes';
import { bundle as filesOf, pathOf } from '../support/bundles';
import { type Driver, plainText } from './driver';
import { useScene } from './scene';
import { type Host, singlePage } from './settings';
import { expectSoon, settled } from './soon';

let host: Host;
let driver: Driver;
let core: CoreEngine;
let folder: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});
beforeAll(async () => {
  core = await createNodeEngine();
});

async function openInCore(...bundles: string[]): Promise<RunId[]> {
  const opened = [];
  for (const bundle of bundles) opened.push(await core.open(await filesOf(bundle)));
  return opened.flatMap(({ runs }) => runs);
}

const expectTexts = (target: string) => expectSoon(() => driver.readAll(target), target);
const expectFirstText = (target: string) =>
  expectSoon(async () => (await driver.readAll(target))[0], target);

describe('two runs that are dropped together', () => {
  it('are compared with the numbers of the core, the earlier as the baseline', async () => {
    const runs = await openInCore('ab-before', 'ab-after');
    const answer = await core.ask('compare', { runs });
    await driver.open(singlePage);
    await driver.drop([pathOf('ab-before'), pathOf('ab-after')]);
    await driver.read('view-compare');

    // 35.0 s became 79.5 s: 2.27 times as long
    expect(await driver.read('compare-tile-elapsed', 'worse')).toBe(
      'Elapsed 1 min 19.5 s A 35.0 s +126.9 % worse',
    );
    for (const [tile, id] of [
      ['per-core', 'event_rate_core_khz'],
      ['outside', 'outside_process_per_execution'],
      ['memory', 'peak_memory_bytes'],
    ]) {
      const change = changesOf(answer, 'summary').find((row) => row.id === id);
      if (!change) throw new Error(`no ${id}`);
      for (const part of [
        valueText(change, change.b),
        valueText(change, change.a),
        relativeText(change),
        judgement(change),
      ])
        await driver.read(`compare-tile-${tile}`, plainText(part));
    }

    // chunks half as large are a change of the set-up
    await driver.read('setup', 'the runs differ');
    await driver.read('setup-chunk_events', '10,000 → 5,000');

    // the work that is done three times ranks first among one's own functions, and all add up
    await driver.click('change-by-own');
    const own = splitOf(answer, 'own');
    expect(own?.parts[0]?.label).toBe('dimuon_candidates (zprime_analysis.py)');
    await expectTexts('change-name').toEqual(own?.parts.map((part) => part.label));
    await expectFirstText('[data-testid^="change-own."]').toBe('+84.9');
    await expectTexts('change-sum').toEqual(['+127']);

    for (const [dimension, measured] of [
      ['dataset', 'in process()'],
      ['frame', 'in functions themselves'],
    ] as const) {
      await driver.click(`change-by-${dimension}`);
      await driver.read('contributions', measured);
      const parts = splitOf(answer, dimension)?.parts ?? [];
      await expectTexts('change-name').toEqual(
        parts.slice(0, 60).map((part) => plainText(part.label)),
      );
    }

    // from three cores for 35.0 s to three for 79.5 s, own functions first
    const steps = await core.ask('compare_steps', { runs });
    const labels = Array.from({ length: steps.rows }, (_, row) => steps.text('label', row) ?? '');
    await expectTexts('step-name').toEqual(labels);
    await expectFirstText('step-change').toBe('+84.9');
    expect(labels[0]).toBe('dimuon_candidates');
    await driver.read('steps', /A 105 .* B 239 × 2\.27/);

    // the pair of muons is three times the work in each dataset, beyond what smaller chunks cost
    const matrix = await core.ask('compare_matrix', { runs });
    const cell = Array.from({ length: matrix.rows }, (_, row) => row).find(
      (row) =>
        matrix.text('dataset', row) === 'ttbar' && matrix.text('section', row) === 'dimuon_mass',
    );
    expect(matrix.number('noteworthy', cell ?? -1)).toBe(1);
    // a section is a column
    const places = `new Set(Array.from(document.querySelectorAll('.matrix-cell'), (one) => one.offsetLeft)).size`;
    await expectSoon(() => driver.evaluate(places)).toBeGreaterThan(4);
    // the change that the steps are made of, too; the error is that of what is beyond the others
    await expectSoon(() => driver.read('cell-ttbar-dimuon_mass')).toMatch(/^\+4\.95 ?× /);
    await driver.point('cell-ttbar-dimuon_mass', 0.5, 0.5);
    const [beyond, error] = ['beyond_pace', 'noise'].map((column) =>
      plainText(coreTime(matrix.number(column as 'noise', cell ?? -1))),
    );
    await driver.read('tooltip', `all parts share +${beyond} ± ${error}`);
  });

  it('have their call trees on one, each box with its change', async () => {
    const runs = await openInCore('ab-before', 'ab-after');
    const diff = await core.ask('flame_diff', {
      runs,
      options: { per: 'absolute', leaves: 'estimated' },
    });
    const root = (column: 'a' | 'b' | 'delta') => coreTime(diff.number(column, 0));
    await driver.read('flame-diff', 'In core-s');
    await settled(driver);
    await driver.point('diff', 0.5, 0.02);
    const said = await driver.read('tooltip');
    expect(said).toContain(plainText(`A ${root('a')} · B ${root('b')}`));
    expect(said).toContain(
      plainText(`+${root('delta')} (+${percent(diff.number('delta', 0) / diff.number('a', 0))})`),
    );
    await driver.click('diff-width-b');
    await expectSoon(driver.address).toContain('dw=b');
    await driver.click('diff-width-both');
  });

  it('change sides, and the address says so', async () => {
    await driver.click('change-by-own');
    await driver.click('compare-swap');
    await driver.read('compare-tile-elapsed', 'better');
    expect(await driver.read('compare-tile-elapsed')).toBe(
      'Elapsed 35.0 s A 1 min 19.5 s −55.9 % better',
    );
    await expectFirstText('[data-testid^="change-own."]').toBe('−84.9');
    await expectSoon(driver.address).toMatch(/view=runs&ab=1~0&by=own/);
    // what is compared per million events is not what there is in all
    await driver.click('per-million_events');
    await driver.read('contributions', 'core-s per 10⁶ events');
    await expectFirstText('[data-testid^="change-own."]').toBe('−69.6');
  });

  it('are shown as a link says', async () => {
    const sample = encodeURIComponent('samples/before-after.zip');
    await driver.open(`${host.url}#url=${sample}&view=compare&ab=1~0&by=dataset`);
    await driver.read('compare-tile-elapsed', /better|worse/);
    await expectSoon(driver.address).toMatch(/by=dataset/);
  });
});

describe('what cannot be compared', () => {
  it('is said where it would stand', async () => {
    await driver.open(singlePage);
    await driver.drop([pathOf('no-decorator'), pathOf('scale-2')]);
    await driver.read('view-compare');
    await driver.click('change-by-dataset');
    await driver.read('contributions-missing', /Cannot be compared: datasets: only [AB] has them/);
    await driver.read('compare-notes', 'Not compared: datasets');
  });

  it('takes replicates on either side, which the address names', async () => {
    await driver.open(singlePage);
    await driver.drop([pathOf('ab-before'), pathOf('ab-after'), pathOf('local-4x1')]);
    await driver.read('view-scaling');
    await driver.click('switch-compare');
    await driver.read('compare-verdict');
    await driver.click('replicates-b');
    await driver.read('replicates-menu-b', 'Also B');
    await driver.click('[data-testid="replicates-menu-b"] input');
    await driver.read('replicates-b', '+ 1 more');
    await expectSoon(driver.address).toMatch(/&ab=\d~\d-\d/);
    await driver.read('compare-notes', 'show the first run of each side');
    await driver.click('compare-swap');
    await driver.read('replicates-a', '+ 1 more');
    await expectSoon(driver.address).toMatch(/&ab=\d-\d~\d/);
  });

  it('is nothing of a run and itself: nothing differs', async () => {
    const twin = join(folder, 'twin');
    await cp(pathOf('ab-before'), twin, { recursive: true });
    await driver.open(singlePage);
    await driver.drop([pathOf('ab-before'), twin]);
    await driver.read('compare-tile-elapsed', 'no change');
    await driver.read('setup', 'nothing differs');
    const unchanged = expect.stringMatching(/no change$/);
    await expectTexts('[data-testid^="compare-tile-"]').toEqual(Array(8).fill(unchanged));
    await driver.click('change-by-own');
    const changes = async () => new Set(await driver.readAll('[data-testid^="change-own."]'));
    await expectSoon(changes).toEqual(new Set(['0']));
  });
});

describe('three runs that are dropped together', () => {
  it('are no scaling study where all have as many cores', async () => {
    const again = ['again', 'once-more'].map((name) => join(folder, name));
    for (const copy of again) await cp(pathOf('ab-before'), copy, { recursive: true });
    await driver.open(singlePage);
    await driver.drop([pathOf('ab-before'), ...again]);
    await driver.click('tab-runs');
    await driver.click('switch-scaling');
    await driver.read('scaling-verdict', /All runs have [\d.]+ cores: scaling needs different/);
    await driver.gone('[data-testid="scaling-rate"][aria-busy=true]');
  });

  it('are a scaling study with the numbers of the core', async () => {
    const runs = await openInCore('scale-1', 'scale-2', 'scale-4');
    const study = await core.ask('scaling', { runs });
    await driver.open(singlePage);
    await driver.drop([pathOf('scale-1'), pathOf('scale-2'), pathOf('scale-4')]);
    await driver.read('view-scaling');
    await driver.read('runs-table', 'scale-4');
    await driver.read('scaling-verdict', '2 cores were best: 50.2 kHz. 4 cores gave 41.8 kHz');
    await driver.read('scaling-verdict', 'share of task time on a CPU fell from 92.5 % to 42.8 %');
    await driver.read('scaling-verdict', /Beyond about 2\.\d+ cores/);
    await driver.read('bounds', /^With these chunks the run cannot be shorter than [\d.]+ m?s/);
    const rates = study.numbers('event_rate_khz');
    const decimals = columnDecimals(rates);
    const expectColumn = (place: number) =>
      expectTexts(`[data-testid="runs-table"] tbody td:nth-child(${place})`);
    await expectColumn(2).toEqual(['scale-1', 'scale-2', 'scale-4']);
    await expectColumn(5).toEqual(Array.from(rates, (rate) => plainText(fixed(rate, decimals))));
    const shares = study.numbers('efficiency_vs_ideal').map((share) => 100 * share);
    const digits = columnDecimals(shares);
    await expectColumn(7).toEqual(Array.from(shares, (share) => plainText(fixed(share, digits))));
    // roastcoffea printed 25.6, 50.2 and 41.8 kHz
    await expectColumn(5).toEqual(['25.56', '50.19', '41.79']);
    // 100 / 50.19
    await driver.type('scaling-target', '100');
    await driver.key('Enter');
    await driver.read('scaling-reading', '× 1.99 from the best run to the target');
    await expectSoon(driver.address).toMatch(/view=runs&target=100/);
    await driver.read('scaling-reading', 'target: not reached, as far as these runs show');
    // four workers on two cores: computing fell from 92 to 43 % of their time
    await driver.read('efficiency-table', /scale-1.*92\.46.*scale-4.*42\.83/);
  });

  it('and each of them says what else it could have been, by what the others show', async () => {
    const runs = await openInCore('scale-2', 'scale-1', 'scale-4');
    await driver.click('run-chip');
    await driver.click('[data-testid="run-menu"] .menu-row:nth-child(2) .menu-item');
    await driver.read('whatif', 'scale-2');
    await driver.type('whatif-cores', '4');
    await driver.key('Enter');
    await driver.read('whatif', '4 cores');
    await driver.gone('whatif-12');
    const what = await core.ask('whatif', { runs, options: { cores: 4 } });
    // Where the core cannot tell, the range that is left.
    const elapsed = rowsOf(what).map((row) =>
      plainText(
        Number.isFinite(row.elapsed) && row.vague !== 1
          ? duration(row.elapsed)
          : durationRange(row.elapsed_low, row.elapsed_high),
      ),
    );
    await expectTexts('[data-testid^="whatif-"]:not(input)').toEqual(elapsed);
    await driver.select('asked-part', 'outside');
    await driver.read('whatif', 'outside 2 times as fast');
    await driver.type('whatif-times', '4');
    await driver.key('Enter');
    await driver.read('whatif', 'outside 4 times as fast');
  });
});

it('fewer runs are told what is missing', async () => {
  await driver.open(singlePage);
  await driver.drop([pathOf('scale-2')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.key('6');
  await driver.read('scaling-invitation', 'Drop two runs to compare them');
  await driver.read('whatif', 'as recorded');
});
