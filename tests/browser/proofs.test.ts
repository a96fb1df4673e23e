/** The page of each kind of finding that a recording here has: its pictures show what it says. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quantityOf } from '../../web/domain/columns';
import { createNodeEngine } from '../../web/engine/node';
import { rowsOf } from '../../web/engine/table';
import { type Finding, findingsOf, hasPicture } from '../../web/state/finding';
import '../../web/views/views';
import { proofsOf } from '../../web/views/summary/proofs';
import { bundle, pathOf } from '../support/bundles';
import { type Driver, plainText } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

const core = await createNodeEngine();

interface Kind {
  recording: string;
  finding: Finding;
}

/** The first finding of each id, with the recording that has it. */
async function kinds(): Promise<Kind[]> {
  const found = new Map<string, Kind>();
  const lab = readdirSync(pathOf('lab')).map((name) => `lab/${name}`);
  for (const recording of [...recorded, ...lab]) {
    const files = lab.includes(recording)
      ? (await bundle('lab')).filter(({ path }) => path === recording)
      : await bundle(recording);
    const { runs } = await core.open(files);
    for (const finding of findingsOf(await core.ask('findings', { runs: runs.slice(0, 1) })))
      if (hasPicture(finding) && !found.has(finding.id))
        found.set(finding.id, { recording, finding });
  }
  return [...found.values()];
}

/** Together they have every kind that a recording here has. */
const recorded = [
  'ab-after',
  'adaptive',
  'skipbad',
  'scale-4',
  'rows',
  'taskvine',
  'taskvine-recorded',
  'tutorial-before',
];

/** What a picture of the page says. */
interface Picture {
  title: string;
  missing: boolean;
  heads: string[];
  labels: string[];
  values: string[];
  /** titles of axes */
  axes: string[];
  legend: string[];
  /** bars in the colour of what is meant, and others */
  full: number;
  ghosts: number;
}

const pictures = `[...document.querySelectorAll('[data-testid="proof"]')].map((panel) => {
  const texts = (selector) => [...panel.querySelectorAll(selector)].map((one) => one.textContent.trim());
  const probe = document.createElement('i');
  document.body.append(probe);
  probe.style.background = 'var(--accent)';
  const accent = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const bars = [...panel.querySelectorAll('.bar-cell')].map((cell) =>
    [...cell.children].some((one) => getComputedStyle(one).backgroundColor === accent));
  return {
    title: panel.querySelector('h2').textContent,
    missing: panel.querySelector('.missing') !== null,
    heads: texts(':is(.bar-rows, .axis-rows) .head.value'),
    labels: texts(':is(.bar-rows, .axis-rows) .name'),
    values: texts(':is(.bar-rows, .axis-rows) .value:not(.head):not(.muted)'),
    axes: texts('[data-testid$="-title"], .plot-caption'),
    legend: texts('.legend li'),
    full: bars.filter((is) => is).length,
    ghosts: bars.filter((is) => !is).length,
  };
})`;

const unit = /\u2009(core-[sh]|[µm]?s|min|h|[kMG]?B|[KMG]iB|×|%)\b|[%×]$/;
const rawId = /^(tcp|tls):\/\/|^(thread|disk|memory|idle)-|^task:|^section:|^available|^$/;

describe('each kind of finding', () => {
  it('has pictures, or leads to its view; their axes have words', async () => {
    const { runs } = await core.open(await bundle('rows'));
    for (const { id, view } of rowsOf(await core.ask('rules', { runs: runs.slice(0, 1) }))) {
      const finding = {
        id,
        view: view === 'Data notes' ? 'recording' : 'summary',
        selection: {},
        section: 'selection',
        function: '',
      } as Finding;
      const proofs = proofsOf(finding);
      expect(proofs.length > 0, id).toBe(hasPicture(finding));
      for (const proof of proofs)
        if (proof.mark === 'chunks')
          for (const column of [...proof.x, ...proof.y].concat(proof.beside ?? []))
            expect(quantityOf(column).label, `${id}: ${column}`).not.toMatch(rawId);
    }
  });

  it('says what is ruled out, with the amounts of the core, and keeps none of it from its row', async () => {
    const recording = 'lab/slow-worker.zip';
    const files = (await bundle('lab')).filter(({ path }) => path === recording);
    const { runs } = await core.open(files);
    const looked = rowsOf(await core.ask('ruled_out', { runs: runs.slice(0, 1) }));
    const excluded = looked.filter(({ place, state }) => place === 0 && state === 'ruled out');
    expect(excluded.length).toBeGreaterThan(2);
    await driver.open(host.url);
    await driver.drop([pathOf('lab', 'slow-worker.zip')]);
    await driver.read('excluded', `Ruled out: ${excluded.map(({ label }) => label).join(', ')}.`);
    await driver.click('finding-link-0');
    const lines = (await driver.read('ruled-out', /core-s/)).split('✓').slice(1);
    expect(lines.length).toBe(excluded.length);
    for (const [at, { label, text }] of excluded.entries())
      expect(plainText(lines[at] ?? '')).toContain(`${label} ${text}`.slice(1));
  });

  it('about a worker keeps the chunks that it ran in colour, among those of the others', async () => {
    const files = (await bundle('lab')).filter(({ path }) => path === 'lab/slow-worker.zip');
    const { runs } = await core.open(files);
    const [finding] = findingsOf(await core.ask('findings', { runs: runs.slice(0, 1) }));
    const workers = finding?.selection.workers ?? [];
    const own = await core.ask('chunks', { runs: runs.slice(0, 1), selection: { workers } });
    const all = await core.ask('chunks', { runs: runs.slice(0, 1) });
    expect(own.rows).toBeGreaterThan(0);
    expect(own.rows).toBeLessThan(all.rows);
    await driver.open(host.url);
    await driver.drop([pathOf('lab', 'slow-worker.zip')]);
    await driver.click('finding-link-0');
    await driver.click('finding-open');
    await driver.read('scatter-panel', `${all.rows} chunks · ${own.rows} of them in colour`);
  });

  it('stands beside open runs of the same work, and no others', async () => {
    await driver.open(host.url);
    await driver.drop(['ab-after', 'ab-before', 'rows'].map((name) => pathOf(name)));
    await settled(driver);
    await driver.click('tab-summary');
    await driver.click('finding-link-0');
    const panel = plainText(await driver.read('similar-runs', /ab-before/));
    expect(panel).toMatch(/2 open runs.*ab-before 35\.0 s ab-after 1 min 19.5 s$/);
  });

  it('is left by the tab of the Summary and by its key, from wherever that is pressed', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('lab', 'slow-worker.zip')]);
    const toSummary = [() => driver.click('tab-summary'), () => driver.key('1')];
    for (const leave of toSummary) {
      await driver.click('finding-link-0');
      await driver.read('finding-page');
      await leave();
      await driver.read('view-summary');
      await driver.click('finding-link-0');
      await driver.read('finding-page');
      await driver.key('2');
      await driver.read('view-timelines');
      await leave();
      await driver.read('view-summary');
    }
  });

  it('shows on its page what it names, in units and in words', async () => {
    const all = await kinds();
    expect(all.length).toBeGreaterThanOrEqual(15);
    for (const { recording, finding } of all) {
      await driver.open(host.url);
      await driver.drop([pathOf(...(recording.split('/') as [string]))]);
      await driver.read('findings', /check/);
      await settled(driver);
      const row = `finding-link-${finding.row}`;
      if ((await driver.readAll(`[data-testid="${row}"]`)).length === 0)
        await driver.click('all-findings');
      await driver.click(row);
      await driver.read('finding-page', plainText(finding.title));
      await driver.read('proof');
      await driver.gone('[data-testid="finding-page"] .panel-waiting');
      await settled(driver);
      const shown = (await driver.evaluate(pictures)) as Picture[];
      const first = shown[0] as Picture;
      expect(shown.length, finding.id).toBeGreaterThan(0);
      for (const picture of shown) {
        const where = `${finding.id} of ${recording}: ${picture.title}`;
        expect(picture.missing, `${where} is empty`).toBe(false);
        for (const label of picture.labels) expect(label, `${where}: a label`).not.toMatch(rawId);
        for (const value of picture.values)
          expect(picture.heads.length > 0 || unit.test(value), `${where}: ${value}`).toBe(true);
        if (picture.values.length > 0)
          expect(picture.full, `${where} marks nothing`).toBeGreaterThan(0);
        else {
          expect(picture.axes.length, `${where} has no title of an axis`).toBeGreaterThan(0);
          for (const axis of picture.axes) expect(axis, where).not.toMatch(/:/);
          expect(picture.legend, where).not.toEqual(['the rest']);
        }
      }
      // what is named stands out from something
      if (Object.keys(finding.selection).length > 0 || finding.function)
        expect(
          first.ghosts > 0 || first.legend.length > 1 || shown.length > 1,
          `${finding.id}: nothing beside it`,
        ).toBe(true);
    }
  }, 240_000);
});
