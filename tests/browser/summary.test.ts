/**
 * The Summary and what leads from it: its numbers are the core's, its findings land where they say,
 * its filters hold everywhere.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { differs, factOf, factParts, factText } from '../../web/domain/facts';
import type { CoreEngine } from '../../web/engine/core';
import type { RunId, Selection } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import type { QuestionName } from '../../web/engine/questions';
import { rowsOf, type Table } from '../../web/engine/table';
import {
  coreTime,
  count,
  duration,
  durationRange,
  partsText,
  percent,
} from '../../web/plot/format';
import { type Finding, findingsOf, hasPicture, isFact, ranked } from '../../web/state/finding';
import { tabOf } from '../../web/state/view';
import '../../web/views/views';
import { rangeText, timeText } from '../../web/views/common/selectionText';
import { bundleNames, bundle as filesOf, pathOf } from '../support/bundles';
import { type Driver, plainText } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
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

/** How many words of the page are to be seen above its last line; a number alone is none. */
const wordsInWindow = `(() => {
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isShown = (text) => {
    range.selectNodeContents(text);
    const { width, height, top, bottom } = range.getBoundingClientRect();
    const around = text.parentElement;
    return width > 2 && height > 2 && top < innerHeight - 24 && bottom > 0 &&
      !around.closest('.visually-hidden') &&
      around.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  let words = 0;
  for (let text = walker.nextNode(); text; text = walker.nextNode())
    if (isShown(text)) words += text.data.split(/\\s+/).filter((word) => /[A-Za-z]{2,}/.test(word)).length;
  return words;
})()`;

/** The bundle as the core alone reads it. */
async function openInCore(bundle: string): Promise<RunId> {
  const { runs } = await core.open(await filesOf(bundle));
  expect(runs).toHaveLength(1);
  return runs[0] ?? -1;
}

const ask = <Q extends QuestionName>(
  run: RunId,
  question: Q,
  selection: Selection = {},
): Promise<Table<Q>> => core.ask(question, { runs: [run], selection });

async function openInPage(bundle: string): Promise<void> {
  await driver.open(host.url);
  await driver.drop([pathOf(bundle)]);
  await driver.read('run-chip', bundle);
  await driver.read('tile-elapsed', /\d|not recorded/);
  // an answer that arrives moves what stands below it from under the pointer
  await settled(driver);
}

/** What is folded is not read. */
const openNumbers = () =>
  driver.evaluate(`document.querySelector('[data-testid="all-numbers"]').open = true`);

/** What a row of the Summary's tables has to say. */
function rowTexts(summary: Table): string[] {
  return rowsOf(summary).map((fact) => {
    const known = Number.isFinite(fact.value);
    const stored = differs(fact) ? ` stored: ${partsText(factParts(fact, fact.stored))}` : '';
    return plainText(`${fact.label} ${known ? factText(fact) : 'not recorded'}${stored}`);
  });
}

/** What the row says of its saving. */
function savingText(finding: Finding): string {
  const { gain_elapsed: gain, core_seconds: cost } = finding;
  if (isFact(finding)) return 'the analysis’s own code';
  if (Number.isFinite(gain)) return plainText(`up to ${duration(gain)}`);
  return Number.isFinite(cost) ? plainText(`cost ${coreTime(cost)}`) : 'saving not known';
}

/** What the chips of the filter bar say after `selection`. */
async function expectChips(selection: Selection): Promise<void> {
  const { time, datasets, files, hosts, workers, prefixes, ranges } = selection;
  const expected = [time, datasets, files ?? hosts, workers, prefixes, ranges].filter(Boolean);
  const active = () => driver.readAll('.filter-bar .chip-on');
  await expectSoon(active).toHaveLength(expected.length);
  if (time)
    await expectSoon(async () => (await active()).join()).toContain(plainText(timeText(time)));
  if (datasets?.length === 1) await driver.read('chip-dataset', datasets[0]);
  if (workers && workers.length > 1) await driver.read('chip-worker', `${workers.length} of`);
  for (const range of ranges ?? []) await driver.read('chip-range', plainText(rangeText(range)));
}

/** What a followed finding is about stands out in its view, among the rest. */
async function expectMarked({ selection, view }: Finding): Promise<void> {
  const { time, workers, prefixes, ...ofChunks } = selection;
  if (view === 'compute' && (workers || Object.keys(ofChunks).length > 0))
    await driver.read('scatter-panel', /chunks · [\d,]+ of them in colour/);
  if ((view === 'timelines' && workers) || (view === 'fine' && prefixes)) {
    await driver.read('#view .about');
    await driver.read('#view .ghost');
  }
}

describe.each(bundleNames())('%s', (bundle) => {
  let run: RunId;
  beforeAll(async () => {
    run = await openInCore(bundle);
    await openInPage(bundle);
  });

  it('shows on its Summary the numbers of the core', async () => {
    const summary = await ask(run, 'summary');
    await openNumbers();
    const rows = async () => (await driver.readAll('[data-testid^="summary-row-"]')).sort();
    await expectSoon(rows).toEqual(rowTexts(summary).sort());

    const tiles: Record<string, string> = {
      elapsed: 'elapsed_time_seconds',
      'event-rate': 'event_rate_elapsed_khz',
      'core-time': 'core_seconds_available',
      process: 'process_fraction',
      'on-cpu': 'cpu_fraction',
      memory: 'peak_memory_bytes',
    };
    await expectSoon(() => driver.readAll('.tile')).toHaveLength(Object.keys(tiles).length);
    for (const [tile, id] of Object.entries(tiles)) {
      const fact = factOf(summary, id);
      const known = fact && Number.isFinite(fact.value);
      await driver.read(`tile-${tile}`, known ? plainText(factText(fact)) : 'not recorded');
    }

    const chunks = factOf(summary, 'num_chunks')?.value ?? Number.NaN;
    if (Number.isFinite(chunks))
      await expectSoon(() => driver.read('filter-chunks')).toBe(plainText(count(chunks)));

    // the answer behind the bars, as the panel's own table; without a profile, of the datasets
    const profiles = await ask(run, 'profiles');
    const tree = await core.ask('core_time_tree', {
      runs: [run],
      selection: {},
      options: { by: profiles.rows > 0 ? 'functions' : 'datasets', depth: 3, most: 40 },
    });
    if (tree.rows > 1) {
      await driver.click('menu-budget');
      await driver.click('table-budget');
      // told in full on hover
      const exact = Array.from(tree.numbers('core_seconds').subarray(0, 12), (value) =>
        Number.isFinite(value) ? `${value} s` : '',
      );
      const hovered = (at: number) =>
        `[data-testid="budget"] tbody tr:nth-child(${at + 1}) td:nth-child(6) span`;
      const shown = () => Promise.all(exact.map((_, at) => driver.attribute(hovered(at), 'title')));
      await expectSoon(shown).toEqual(exact);
    }
  });

  it('has findings that land where they say', async () => {
    // the table of the test before may be open
    await driver.key('Escape');
    const findings = ranked(findingsOf(await ask(run, 'findings')));
    const advice = rowsOf(await ask(run, 'advice'));
    await driver.read('rules-checked', /\d+ (other )?checks found nothing/);
    const [first] = findings.filter((finding) => !isFact(finding));
    if (first) await driver.read('run-verdict', plainText(first.title));
    else await driver.read('findings', 'No fault found');
    for (const finding of findings) {
      await driver.key('1');
      const place = findings.indexOf(finding) >= 5 ? 'all-findings' : undefined;
      if (place) await driver.click(place);
      const row = `finding-${finding.row}`;
      for (const part of [plainText(finding.title), savingText(finding)])
        await driver.read(row, part);
      expect(finding.title.length).toBeLessThanOrEqual(90);
      if ((await driver.readAll(`[data-testid="${row}"].finding-open`)).length === 0)
        await driver.click(`[data-testid="${row}"] .finding-fold`);
      await driver.read(row, plainText(finding.evidence));
      if (!isFact(finding))
        expect((await driver.read(row)).toLowerCase()).toContain(finding.severity);
      const fixes = advice.filter(({ finding: id }) => id === finding.id);
      for (const { code } of fixes) await driver.read(row, plainText(code));
      await driver.click(`finding-link-${finding.row}`);
      if (hasPicture(finding)) {
        await driver.read('finding-page', plainText(finding.title));
        await driver.read('proof');
        await driver.click('finding-open');
      }
      await driver.read(`#view [data-testid="view-${finding.view}"]`);
      await driver.read(`#tab-${tabOf(finding.view).id}[aria-selected="true"]`);
      // it is marked among the rest, and narrows nothing before the user says so
      expect(await driver.readAll('.filter-bar .chip-on')).toEqual([]);
      // it is the headline there, said once
      if (finding.view !== 'summary') {
        await driver.read('.run-verdict-text', plainText(finding.title));
        await driver.read('.run-verdict-limits', plainText(finding.evidence.split('\n')[0] ?? ''));
        expect((await driver.read('#view')).split(plainText(finding.title))).toHaveLength(2);
      }
      await expectMarked(finding);
      await driver.key('f');
      await expectChips(finding.selection);
      await driver.key('Escape');
      await driver.gone('.chip-on');
    }
  });
});

describe('the filter', () => {
  const url = () => `${host.url}#url=${encodeURIComponent('samples/adaptive.zip')}`;

  it('by names narrows every view, and is cleared', async () => {
    const run = await openInCore('adaptive');
    await driver.open(url());
    await driver.read('filter-chunks', '357');
    await driver.click('chip-dataset-open');
    await driver.click('[data-testid="check-dataset"] .check-row:nth-child(2)');
    const name = (await ask(run, 'datasets')).text('name', 1) ?? '';
    const selection = { datasets: [name] };
    const narrowed =
      factOf(await ask(run, 'summary', selection), 'num_chunks')?.value ?? Number.NaN;
    expect(narrowed).toBeLessThan(357);
    await driver.read('chip-dataset', name);
    await driver.read('filter-counts', `${narrowed} of 357 chunks`);
    await driver.key('Escape');
    await driver.gone('chip-dataset-menu');
    // what cannot be narrowed says so, and keeps its value
    await driver.read('tile-elapsed', 'whole run');
    await driver.read('tile-core-time', 'whole run');
    await openNumbers();
    await driver.read('summary-row-processor_cpu_time_seconds', /whole run 1 min 55\.7 s/);
    expect(await driver.read('summary-row-total_events')).not.toContain('whole run');
    await driver.read('cores', 'Not in process()');
    await driver.click('tab-data');
    await driver.click('switch-compute');
    await driver.read('view-compute', `${narrowed} of 357, longest first`);
    // worker series have no dataset, and the view says so
    await driver.click('tab-timelines');
    await driver.read('timelines-note', 'cannot be split by dataset');
    await driver.click('chip-dataset-clear');
    await driver.gone('.chip-on');
    await driver.read('filter-chunks', /^357$/);
  });

  it('follows a click on a row, and a second one takes it back', async () => {
    const run = await openInCore('adaptive');
    const name = (await ask(run, 'datasets')).text('name', 0) ?? '';
    await driver.open(`${url()}&view=compute`);
    await driver.read('[data-testid="groups"] .bar-rows', name);
    // until what stands above it moves it no more
    await settled(driver);
    const button = '[data-testid="groups"] .bar-rows .bar-name';
    const rows = await driver.readAll(button);
    await driver.evaluate(
      `document.querySelectorAll('${button}')[${rows.findIndex((row) => row.includes(name))}].click()`,
    );
    await driver.read('chip-dataset', name);
    await driver.read('filter-counts', 'of 357');
    // until the rows of the others are gone
    await settled(driver);
    await driver.click(button);
    await driver.gone('.chip-on');
  });

  it('by time takes numbers and phases', async () => {
    await driver.open(url());
    await driver.click('chip-time-open');
    await driver.type('time-begin', '10');
    await driver.type('time-end', '20');
    await driver.click('time-apply');
    await driver.read('chip-time', 'Time 10.0–20.0 s');
    await driver.read('cores', /selected: .*steady 10\.0 s/);
    await driver.read('budget', 'Profiles keep no times');
    await driver.click('phase-ramp');
    await driver.read('chip-time', /Time 1\.\d+–2\.\d+ s/);
  });

  it('is in the address, and comes back with it', async () => {
    const findings = findingsOf(await ask(await openInCore('adaptive'), 'findings'));
    const { row } = findings.find(({ id }) => id === 'stragglers') ?? { row: -1 };
    await driver.open(url());
    await driver.read(`finding-${row}`);
    await driver.click(`finding-link-${row}`);
    await driver.read('proof', '23 of 357 chunks');
    await driver.click('finding-open');
    await expectSoon(driver.address).toContain('finding=stragglers');
    await driver.open(await driver.address());
    await driver.read('followed');
    await driver.read('filter-counts', /^357 chunks · /);
    await driver.click('filter-to-finding');
    await driver.read('chip-range', 'outliers');
    await driver.click('chip-worker-open');
    await driver.click('[data-testid="check-worker"] .check-row:nth-child(1)');
    await driver.key('Escape');
    await settled(driver);
    const counts = await driver.read('filter-counts', 'of 357');
    const chips = await driver.readAll('.chip-on');
    const address = await driver.address();
    await driver.open(address);
    await driver.read('view-compute');
    await driver.read('filter-counts', counts);
    await expectSoon(() => driver.readAll('.chip-on')).toEqual(chips);
    await driver.click('clear-all');
    await driver.gone('.chip-on');
  });

  it('that leaves nothing names what excludes everything', async () => {
    await driver.open(
      `${url()}&view=chunks&s=${encodeURIComponent(JSON.stringify({ datasets: ['no such dataset'] }))}`,
    );
    await driver.read('empty-filter', 'Without the dataset filter there would be 357 chunks');
    await driver.read('chip-dataset', 'none of 4');
    await driver.click('empty-clear-datasets');
    await driver.read('chunk-table');
  });
});

describe('keys', () => {
  it('walk the findings in the order of the list', async () => {
    const run = await openInCore('adaptive');
    const findings = findingsOf(await ask(run, 'findings'));
    await openInPage('adaptive');
    for (const [key, place] of [
      [']', 0],
      [']', 1],
      ['[', 0],
    ] as const) {
      await driver.key(key);
      await driver.read('finding-verdict', plainText(findings[place]?.title ?? ''));
    }
    // Esc is one step back, to the Summary
    await driver.key('Escape');
    await driver.read('findings', plainText(findings[0]?.title ?? ''));
  });

  it('lead to a headline in each view that marks what the finding is about, and there alone', async () => {
    const findings = findingsOf(await ask(await openInCore('adaptive'), 'findings'));
    const lost = findings.find(({ id }) => id === 'lost-work');
    if (!lost) throw new Error('adaptive lost no work');
    const title = plainText(lost.title);
    await openInPage('adaptive');
    await driver.click(`finding-link-${lost.row}`);
    await driver.click('finding-open');
    for (const tab of ['data', 'timelines']) {
      await driver.click(`tab-${tab}`);
      await driver.read('.run-verdict-text', title);
      await driver.read('followed', 'Next');
    }
    await driver.click('tab-flame');
    expect(await driver.read('flame-verdict')).not.toContain(title);
    await driver.gone('followed');
  });

  it('are told by the help', async () => {
    await openInPage('scale-1');
    await driver.key('?');
    await driver.read('help-dialog', 'previous, next finding');
    await driver.key('Escape');
    await driver.gone('help-dialog');
  });
});

describe('an explanation', () => {
  it('is part of what a screen reader says of the word that has the focus', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.read('tile-elapsed', '1 min');
    const described = await driver.evaluate(`(async () => {
      const word = document.querySelector('[data-testid=tile-elapsed] .explained');
      word.focus();
      await new Promise((done) => setTimeout(done, 200));
      const told = document.getElementById(word.getAttribute('aria-describedby') ?? '');
      word.blur();
      return [told?.getAttribute('role'), told?.textContent.length > 10, word.hasAttribute('aria-describedby')];
    })()`);
    expect(described).toEqual(['tooltip', true, false]);
  });
});

describe('what is missing', () => {
  it('can be added to the run', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1', 'metrics.json')]);
    await driver.read('tile-elapsed', '1 min 10.5 s');
    await driver.click('tab-flame');
    await driver.read('absent', 'No profile in this bundle');
    await driver.choose('add-file', [pathOf('local-4x1', 'dask_profiles.json.gz')]);
    await driver.read('flame-total', '14,343 samples');
    await driver.click('tab-summary');
    await driver.read('tile-elapsed', '1 min 10.5 s');
  });

  it('can be added to one of the runs of an archive', async () => {
    const config = join(folder, 'config.json');
    await writeFile(config, '{"chunksize": 20000}');
    await driver.open(`${host.url}#url=${encodeURIComponent('samples/before-after.zip')}`);
    await driver.read('run-chip', 'ab-before');
    await driver.key('7');
    await driver.choose('add-file', [config]);
    await driver.read('sources', 'config.json');
    await driver.read('run-chip', 'ab-before');
    await driver.click('run-chip');
    const names = () => driver.readAll('[data-testid="run-menu"] .menu-item b');
    await expectSoon(names).toEqual(['ab-before', 'ab-after']);
  });
});

it('has few words in the window', async () => {
  await driver.open(`${host.url}#url=${encodeURIComponent('samples/adaptive.zip')}&view=summary`);
  await driver.resize(1440, 900);
  await driver.read('finding-1', 'up to');
  await settled(driver);
  expect(await driver.evaluate(wordsInWindow)).toBeLessThanOrEqual(180);
});

describe('core-time', () => {
  const url = (rest = '') =>
    `${host.url}#url=${encodeURIComponent('samples/adaptive.zip')}&view=summary${rest}`;
  const part = (id: string) => `[data-testid^="part-available/${id}"]`;
  const focused = '[role="treeitem"][aria-selected="true"]';

  it('is headed by the first finding, and unfolds', async () => {
    await driver.open(url());
    await driver.read('run-verdict', '5 threads on 127.0.0.1 got only 1.55 cores.');
    await driver.read('run-verdict', /It cost [\d.]+.core.*s; saving not known\./);
    await driver.read(part('inside_process'), /Inside process\(\) 177/);
    await driver.read(part('lost_work'), /Repeated work 89\.5/);
    await driver.click(part('inside_process/fill_variation'));
    await driver.read('part-panel', 'function of your analysis');
    await driver.read('part-panel', /saved if twice as fast \[[\d.]+–[\d.]+ s\]/);
    await driver.read('part-panel', 'By worker');
    await driver.read('part-panel', 'Where its samples ended');
    await driver.click('part-unfold');
    await driver.read('core-time-all');
    await driver.read('core-time-tree', 'Library');
    // what is selected and unfolded comes back with its address
    const address = await driver.address();
    await driver.open(address);
    await driver.read('part-panel', 'fill_variation');
    await driver.click('core-time-all');
    await driver.gone('core-time-all');
    await driver.click('part-to-flame');
    await driver.read('view-flame', 'fill_variation');
  });

  it('says what half or twice the cores and chunks would give, and leads to all of that', async () => {
    const run = await openInCore('local-4x1');
    const answer = await core.ask('whatif', { runs: [run] });
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    // four cores were recorded, and nobody has seen more
    const row = answer.rowOf('scenario', '8 cores');
    const [low, high] = [answer.number('elapsed_low', row), answer.number('elapsed_high', row)];
    await driver.read('whatif-here', plainText(`8 cores ${durationRange(low, high)}`));
    await driver.read('whatif-here', 'half as large');
    expect(await driver.read('whatif-here')).not.toMatch(/16 cores|longest/);
    await driver.click('whatif-more');
    await driver.read('whatif', '16 cores');
  });

  it('is walked by keys, and searched', async () => {
    await driver.open(url());
    await driver.click(part('inside_process'));
    await driver.key('ArrowDown');
    await driver.read(focused, 'fill_variation');
    await driver.key('ArrowRight');
    await driver.read(focused, 'dimuon_candidates');
    await driver.key('Enter');
    await driver.read('core-time-all');
    await driver.key('ArrowUp');
    await driver.key('Escape');
    await driver.gone('part-panel');
    await driver.key('Escape');
    await driver.key('Escape');
    await driver.gone('core-time-all');
    await driver.type('core-time-search', 'jets');
    await expectSoon(() => driver.readAll('.ct-box:not(.ct-dimmed)')).toHaveLength(2);
  });

  it('is told apart by datasets, sections and activities, over time too', async () => {
    await driver.open(url());
    await driver.read('cores', 'Repeated work');
    await driver.click('split-datasets');
    await driver.read(part('inside_process/ttbar'), 'ttbar');
    await driver.read('cores', 'ttbar');
    await driver.click('split-sections');
    await driver.read(part('inside_process/systematics_loop'), 'systematics_loop');
    await driver.click('split-activities');
    await driver.read(part('processor_tasks/thread-noncpu'), 'waiting');
  });

  it('has every number, folded and searched', async () => {
    await driver.open(url());
    await driver.read('all-numbers', 'values with their formulas');
    await driver.key('n');
    await driver.type('search-numbers', 'peak');
    await expectSoon(() => driver.readAll('[data-testid^="summary-row-"]')).toHaveLength(3);
  });
});

describe('panels', () => {
  it('give their answer as CSV', async () => {
    const run = await openInCore('adaptive');
    const findings = await ask(run, 'findings');
    await openInPage('adaptive');
    await driver.click('menu-findings');
    const { name, content } = await driver.save('csv-findings');
    expect(name).toBe('findings.csv');
    const lines = new TextDecoder().decode(content).trim().split('\r\n');
    expect(lines).toHaveLength(findings.rows + 1);
    expect(lines[0]).toBe(
      findings.columns
        .map((column) => column.name + (column.unit ? ` [${column.unit}]` : ''))
        .join(','),
    );
  });
});

describe('panels', () => {
  it('give their picture, with the run and the filter above it', async () => {
    await driver.open(
      `${host.url}#url=${encodeURIComponent('samples/adaptive.zip')}&view=summary&t=10~30`,
    );
    await driver.read('budget', 'Inside process()');
    await settled(driver);
    await driver.click('menu-budget');
    const svg = new TextDecoder().decode((await driver.save('svg-budget')).content);
    const texts = Array.from(svg.matchAll(/<text[^>]*>([^<]*)/g), ([, text = '']) =>
      plainText(text),
    );
    for (const text of [
      'adaptive',
      'Filter: 10.0–30.0 s',
      'Where the core-time went',
      'Inside process()',
      'Phase',
    ]) {
      expect(texts).toContain(text);
    }
    // the menu and the switch are no part of the picture, nor does it need anything of the page
    expect(texts).not.toContain('•••');
    expect(svg).not.toMatch(/var\(--|class=|style=|https?:\/\/(?!www\.w3\.org)/);
    for (const [, id] of svg.matchAll(/url\((?:&quot;|["'])?#([^)"'&]+)/g))
      expect(svg).toContain(`id="${id}"`);

    await driver.click('menu-budget');
    const { name, content } = await driver.save('png-budget');
    expect(name).toBe('budget.png');
    const header = new DataView(content.buffer, content.byteOffset);
    expect(header.getUint32(0)).toBe(0x89504e47);
    // two pixels for each
    expect(header.getUint32(16)).toBe(2 * Number(/width="(\d+)/.exec(svg)?.[1]));

    // what is drawn on canvas comes along as an image
    await driver.click('menu-cores');
    const plot = new TextDecoder().decode((await driver.save('svg-cores')).content);
    const [, width = '', image = ''] =
      /<image[^>]* width="([\d.]+)"[^>]* href="data:image\/png;base64,([^"]+)/.exec(plot) ?? [];
    // drawn as fine as the picture is
    const pixels = Buffer.from(image, 'base64').readUInt32BE(16);
    expect(Math.abs(pixels - 2 * Number(width))).toBeLessThanOrEqual(2);
  });

  it('are copied, and fill the page until Esc', async () => {
    await openInPage('scale-2');
    await driver.click('menu-findings');
    await driver.click('copy-findings');
    await driver.read('copy-findings', 'Copied');
    await driver.key('Escape');
    await driver.click('menu-findings');
    await driver.click('expand-findings');
    await driver.read('.panel-expanded', 'Findings');
    await driver.key('Escape');
    await driver.gone('.panel-expanded');
  });
});

describe('sharing', () => {
  it('gives a link that leads back, and says what is not in it', async () => {
    await openInPage('scale-2');
    await driver.click('share-button');
    await driver.read('share', 'they were opened from this computer and stay there');
    await driver.key('Escape');
    await driver.open(
      `${host.url}#url=${encodeURIComponent('samples/adaptive.zip')}&view=chunks&t=10~30`,
    );
    await driver.read('view-compute');
    await driver.click('share-button');
    await driver.read(
      'share',
      'the view Data › Compute, the filter (10.0–30.0 s), where adaptive was loaded from',
    );
    const link = await driver.read('[data-testid="share"] code');
    await driver.open(link);
    await driver.read('chip-time', '10.0–30.0 s');
    await driver.read('view-compute');
  });

  it('holds for files that are opened once the link was followed', async () => {
    await driver.open(`${host.url}#v=1&view=timelines&t=5~10`);
    await driver.drop([pathOf('scale-2')]);
    await driver.read('view-timelines');
    await driver.read('chip-time', '5.0–10.0 s');
  });
});

describe('embedded', () => {
  it('is small, stores nothing, and leads to the full page', async () => {
    await driver.open(`${host.url}#embed&url=${encodeURIComponent('samples/adaptive.zip')}`);
    await driver.read('tile-elapsed', /\d/);
    await expectSoon(() => driver.readAll('.tile')).toHaveLength(6);
    await driver.gone('filter-bar');
    await driver.click('filter-button');
    await driver.read('filter-chunks', '357');
    await driver.read('full-page', 'Open full page');
    await driver.drop([pathOf('scale-1')]);
    await driver.read('run-chip', 'adaptive');
  });
});

describe('the start page', () => {
  it('shows what the samples hold, as the core counts it', async () => {
    const index = JSON.parse(
      await readFile(
        fileURLToPath(new URL('../../public/samples/samples.json', import.meta.url)),
        'utf8',
      ),
    ) as { file: string; runs: { name: string; process_fraction: number; chunks: number }[] }[];
    await driver.open(host.url);
    for (const { file, runs } of index) {
      for (const { name, process_fraction, chunks } of runs) {
        const summary = await ask(await openInCore(name), 'summary');
        expect(chunks).toBe(factOf(summary, 'num_chunks')?.value);
        expect(process_fraction).toBeCloseTo(
          factOf(summary, 'process_fraction')?.value ?? Number.NaN,
          5,
        );
        await driver.read(
          `sample-${file.replace('.zip', '')}`,
          plainText(percent(process_fraction)),
        );
      }
    }
  });

  it('tells how to record a run, and what to do with it', async () => {
    await driver.open(host.url);
    await driver.click('how-to-record');
    await driver.read('record', 'with crema.record(');
    await driver.read('record', 'crema open runs/zprime');
    await driver.key('Escape');
    await driver.gone('record');
  });
});
