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
  signed,
  significant,
} from '../../web/plot/format';
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

describe('two runs that are dropped together', () => {
  it('are compared with the numbers of the core, the earlier as the baseline', async () => {
    const runs = await openInCore('ab-before', 'ab-after');
    await driver.open(singlePage);
    await driver.drop([pathOf('ab-before'), pathOf('ab-after')]);
    await driver.read('view-compare');

    // 35.0 s became 79.5 s: 2.27 times as long
    const verdict = await core.ask('verdict', { runs });
    await driver.read('compare-verdict', 'B took 2.27 times as long (35 s → 1 min 19.5 s)');
    for (const note of ['headline', 'line', 'assumed'])
      await driver.read('compare-verdict', plainText(String(verdict.notes[note])));

    // chunks half as large are a change of the set-up
    await driver.read('setup-chunk_events', '10,000 → 5,000');
    await driver.read('setup', /same.* events/);

    // from three cores for 35.0 s to three for 79.5 s; the function that does its work three times
    for (const by of ['functions', 'datasets', 'sections'] as const) {
      await driver.click(
        `change-by-${{ functions: 'own', datasets: 'dataset', sections: 'section' }[by]}`,
      );
      const steps = rowsOf(await core.ask('compare_steps', { runs, options: { by } }));
      await expectTexts('step-name').toEqual(steps.map(({ label }) => plainText(label)));
      await expectTexts('step-change').toEqual(
        steps.map(({ delta }) => plainText(signed(significant(delta), delta))),
      );
      if (by === 'functions')
        expect(steps.map(({ label }) => label)).toContain('dimuon_candidates');
    }
    await expectTexts('step-a').toEqual(['105']);
    await expectTexts('step-b').toEqual(['239']);

    // all that explains the change of process() is all of it
    const shares = rowsOf(verdict)
      .filter(({ kind, share }) => !['own function', 'measured'].includes(kind) && share)
      .map(({ share }) => share);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    await driver.read('explained', plainText(percent(shares[0] ?? 0)));

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
    // what is beyond the others, and the error that decides
    const [excess, margin] = (['excess', 'margin'] as const).map((column) =>
      matrix.number(column, cell ?? -1),
    );
    await expectSoon(() => driver.read('cell-ttbar-dimuon_mass')).toMatch(
      plainText(`+${significant(excess ?? 0, 2)} ± ${significant(margin ?? 0, 2)}`),
    );
    await driver.point('cell-ttbar-dimuon_mass', 0.5, 0.5);
    await driver.read(
      'tooltip',
      plainText(`alike +${coreTime(excess ?? 0)} ± ${coreTime(margin ?? 0)}`),
    );
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
    await driver.read('compare-verdict', /B took 55\.9 % less time \(1 min 19\.5 s → 35 s\)/);
    await expectTexts('step-a').toEqual(['239']);
    await expectSoon(driver.address).toMatch(/view=runs&ab=1~0&by=own/);
    // what is compared per million events is not what there is in all
    await driver.click('per-million_events');
    await driver.read('steps', 'core-s per M events');
    await driver.click('per-share');
    await expectTexts('step-a').toEqual(['100']);
  });

  it('are shown as a link says', async () => {
    const sample = encodeURIComponent('samples/before-after.zip');
    await driver.open(`${host.url}#url=${sample}&view=compare&ab=1~0&by=dataset`);
    await driver.read('compare-verdict', /less time/);
    await expectSoon(driver.address).toMatch(/by=dataset/);
  });
});

describe('what cannot be compared', () => {
  it('is said where it would stand', async () => {
    await driver.open(singlePage);
    await driver.drop([pathOf('no-decorator'), pathOf('scale-2')]);
    await driver.read('view-compare');
    await driver.read('explained', 'Chunks of both runs are needed');
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
    await driver.read('compare-verdict', 'A and B are one run: nothing differs.');
    await expectSoon(() => driver.read('setup')).not.toMatch(/changed/);
    await driver.read('alike', /: equal/);
    await driver.click('change-by-own');
    const changes = async () => new Set(await driver.readAll('step-change'));
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
