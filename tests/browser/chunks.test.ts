/**
 * Fine metrics, Data: every number on screen is the core's, and what is chosen holds
 * everywhere.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import type { AskOptions, RunId } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import type { QuestionName } from '../../web/engine/questions';
import type { Table } from '../../web/engine/table';
import {
  bytes,
  columnDecimals,
  coreTime,
  count,
  duration,
  fixed,
  percent,
  significant,
} from '../../web/plot/format';
import { largestFirst } from '../../web/plot/numbers';
import { parsePermalink } from '../../web/state/permalink';
import { fineUnit } from '../../web/views/fine/fineUnits';
import { metricsPieces } from '../bench/generate.mjs';
import { bundle as filesOf, pathOf } from '../support/bundles';
import { type Driver, plainText } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { expectSoon, settled } from './soon';

let host: Host;
let driver: Driver;
let folder: string;
let core: CoreEngine;
let run: RunId;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});
beforeAll(async () => {
  core = await createNodeEngine();
  const { runs } = await core.open(await filesOf('adaptive'));
  run = runs[0] ?? -1;
});

const ask = <Q extends QuestionName>(
  question: Q,
  options: AskOptions['options'] = {},
  selection: AskOptions['selection'] = {},
) => core.ask(question, { runs: [run], options, selection });

const rowsOf = (table: Table): number[] => Array.from({ length: table.rows }, (_, row) => row);
const note = (table: Table, name: string): number => Number(table.notes[name]);

async function openView(view: 'compute' | 'read' | 'fine'): Promise<void> {
  await driver.open(host.url);
  await driver.drop([pathOf('adaptive')]);
  await driver.read('tile-elapsed', /\d/);
  await driver.click(view === 'fine' ? 'tab-fine' : 'tab-data');
  if (view !== 'fine') await driver.click(`switch-${view}`);
}

/** What the address says is selected. */
const selected = async () => parsePermalink(new URL(await driver.address()).hash).selection;

/** What a picture says to those who do not see it. */
const chartText = (testId: string) =>
  driver.evaluate(
    `(document.querySelector('[data-testid=${testId}] [aria-label], [data-testid=${testId}][aria-label]') ?? document.body).getAttribute('aria-label') ?? ''`,
  ) as Promise<string>;

/** A column of the core as a table prints it: one unit, as many decimals for all. */
type Printed = readonly [column: string, factor?: number];

/**
 * The texts of the numbers of a table's first rows, as the page has to show them: columns that hold
 * nothing are left out.
 */
function printed(
  table: Table,
  columns: readonly Printed[],
  sortedBy: string,
  most = 20,
): string[][] {
  const known = columns.filter(
    ([name]) => table.has(name) && table.numbers(name).some(Number.isFinite),
  );
  const texts = known.map(([name, factor = 1]) => {
    const values = table.numbers(name).map((value) => value * factor);
    const decimals = columnDecimals(values);
    return Array.from(values, (value) =>
      plainText(Number.isFinite(value) ? fixed(value, decimals) : '–'),
    );
  });
  const sizes = table.numbers(sortedBy);
  return rowsOf(table)
    .sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b)
    .slice(0, most)
    .map((row) => texts.map((column) => column[row] ?? ''));
}

/** The texts of a table's cells of numbers, row by row, as they are now. */
async function shownNumbers(testId: string, most = 20): Promise<string[][]> {
  const cells = (await driver.evaluate(
    `Array.from(document.querySelectorAll('[data-testid=${testId}] tbody tr:not(.spacer)'), (row) =>
      Array.from(row.querySelectorAll('td.right'), (cell) => cell.textContent)).slice(0, ${most})`,
  )) as string[][];
  return cells.map((row) => row.map(plainText));
}

const expectNumbers = (testId: string, most?: number) =>
  expectSoon(() => shownNumbers(testId, most), testId);

const perEvent = 1e6;
const mebibyte = 1 / 1024 ** 2;

/** The rows that have a bar. */
const slowestOf = (table: Table): number[] =>
  largestFirst(table.numbers('seconds_per_event')).slice(0, 12);

const chunkColumns: readonly Printed[] = [
  ['entry_start'],
  ['t_start'],
  ['duration'],
  ['events'],
  ['seconds_per_event', perEvent],
  ['bytes_read', 1e-6],
  ['memory_delta', mebibyte],
  ['branches_accessed'],
];
const fileColumns: readonly Printed[] = [
  ['times_others'],
  ['bytes_per_second', 1e-6],
  ['times_read'],
  ['bytes_read', 1e-6],
  ['bytes_read_fraction', 100],
  ['chunks'],
  ['tree_bytes', 1e-6],
  ['branches_read_fraction', 100],
];
const branchColumns: readonly Printed[] = [
  ['share_of_chunks', 100],
  ['chunks'],
  ['datasets'],
  ['files'],
];

describe('Data, Compute', () => {
  it('groups by dataset, file, host and site as the core does', async () => {
    await openView('compute');
    for (const group of ['datasets', 'files', 'hosts', 'sites'] as const) {
      await driver.click(`group-${group}`);
      const table = await ask(group);
      await driver.gone('[data-testid=groups][aria-busy=true]');
      for (const row of slowestOf(table)) {
        const each = 1e6 * table.number('seconds_per_event', row);
        await driver.read(
          `[data-testid="group-${table.text('name', row)}"]`,
          plainText(significant(each)),
        );
      }
    }
    // more columns, for what was recorded of the user's own, stand behind
    const chunks = printed(await ask('chunks'), chunkColumns, 'duration');
    const shown = async () =>
      (await shownNumbers('chunk-table')).map((row) => row.slice(0, chunks[0]?.length));
    await expectSoon(shown).toEqual(chunks);
  });

  it('shows the core’s numbers in every panel', async () => {
    await openView('compute');
    const runtime = await ask('distribution', { column: 'duration' });
    for (const name of ['median', 'mean', 'p95', 'max'])
      await driver.read(`distribution-${name}`, plainText(duration(note(runtime, name))));

    const tail = await ask('tail');
    await driver.read(
      'tail-length',
      plainText(duration(tail.number('end', 0) - tail.number('t95', 0))),
    );
    await driver.read('tail-wasted', plainText(coreTime(tail.number('core_seconds_wasted', 0))));
    // what another order saves is the same in What if
    const whatif = await ask('whatif');
    const first = Array.from({ length: whatif.rows }, (_, row) => whatif.text('scenario', row));
    const longest = whatif.number('elapsed', first.indexOf('longest chunks first'));
    await driver.read('tail-ideal', plainText(duration(longest)));

    const datasets = await ask('datasets');
    let outliers = 0;
    for (const row of rowsOf(datasets)) outliers += datasets.number('outliers', row);
    await driver.read('tail-outliers', count(outliers));

    const sections = await ask('sections', { by: 'dataset' });
    for (const row of rowsOf(sections)) {
      const each = 1e6 * sections.number('seconds_per_event', row);
      if (!Number.isFinite(each)) continue;
      await driver.read(
        `each-${sections.text('dataset', row)}-${sections.text('name', row)}`,
        plainText(significant(each)),
      );
    }
    const chunk = await ask('chunk');
    expect(chunk.text('kind', 0)).toBe('process');
    await driver.read('chunk-verdict', plainText(duration(chunk.number('seconds', 0))));
    await driver.read('chunk-verdict', `${plainText(significant(chunk.number('times', 0)))} times`);
    for (const row of rowsOf(chunk)) {
      if (chunk.text('kind', row) !== 'section') continue;
      await driver.read(
        `chunk-section-section-${chunk.text('name', row)}`,
        plainText(significant(chunk.number('times', row), 2)),
      );
    }
    const sizes = await ask('chunk_sizes');
    await driver.read('sizes-advice', plainText(String(sizes.notes.advice)).slice(1));
    expect(await driver.complaints()).toEqual([]);
  });

  it('says how much memory chunks take, at other sizes, too', async () => {
    const [rows = -1] = (await core.open(await filesOf('rows'))).runs;
    await driver.open(host.url);
    await driver.drop([pathOf('rows')]);
    await driver.read('tile-elapsed', /\d/);
    await driver.click('tab-data');
    await driver.click('switch-compute');
    for (const times of ['1', '2', '4']) {
      const table = await core.ask('memory', { runs: [rows], options: { times: Number(times) } });
      await driver.click(`memory-size-${times}`);
      await driver.read('memory-headline', String(table.notes.headline));
      const [largest] =
        printed(table, [['memory_largest', 1 / 1024 ** 2]], 'memory_largest')[0] ?? [];
      await driver.read('memory-table', largest ?? '');
    }
    expect(await driver.complaints()).toEqual([]);
  });

  it('selects by a drag over the scatter, and the selection holds for all', async () => {
    await openView('compute');
    await driver.select('scatter-x', 't_start');
    await settled(driver);
    await driver.drag('scatter', 0.2, 0.6);
    const ranges = async () => (await selected())?.ranges ?? [];
    await expectSoon(async () => (await ranges()).map((range) => range.column)).toEqual([
      't_start',
    ]);
    const chosen = await ask('chunks', {}, { ranges: await ranges() });
    expect(chosen.rows).toBeLessThan(357);
    // what was passed by the drag may have been counted before
    await driver.read('filter-chunks', new RegExp(`^${chosen.rows}\\b`));
    const runtime = await ask('distribution', {}, { ranges: await ranges() });
    await driver.read('distribution-mean', plainText(duration(note(runtime, 'mean'))));
  });

  it('says what sets the selected chunks apart, also at equal times', async () => {
    await driver.open(`${host.url}#view=chunks&range=outlier:1:1`);
    await driver.drop([pathOf('adaptive')]);
    await driver.read(
      'why-verdict',
      /^time 11\.6 s to 38\.1 s: 18 of these 23 chunks, 9\.31 times/,
    );
    // the file only because it was read then
    await driver.read('why-table', /file 31\.2 % \S+nano_02_zlib\.root 8 of 32 × 3\.9 no/);
    await driver.read('why-table', /tasks at once .* no/);
  });

  it('leaves Alt with an arrow to the browser, whose Back it is', async () => {
    await openView('compute');
    await settled(driver);
    const left = (target: string, alt: boolean) =>
      driver.evaluate(`document.querySelector('[data-testid=${target}]').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: ${alt}, bubbles: true, cancelable: true }))`);
    for (const target of ['scatter', 'distribution']) {
      // an event that was taken is not dispatched as usual
      expect(await left(target, false), target).toBe(false);
      expect(await left(target, true), target).toBe(true);
    }
  });

  it('saves the scatter with two pixels for each, whatever the screen has', async () => {
    await openView('compute');
    await settled(driver);
    await driver.click('menu-chunk-scatter');
    const svg = new TextDecoder().decode((await driver.save('svg-chunk-scatter')).content);
    const [, width = '', data = ''] =
      /<image [^>]*width="([\d.]+)"[^>]*href="data:image\/png;base64,([^"]+)"/.exec(svg) ?? [];
    // a PNG says its width at byte 16
    const pixels = Buffer.from(data.slice(0, 64), 'base64').readUInt32BE(16);
    expect(Math.abs(pixels - 2 * Number(width))).toBeLessThanOrEqual(1);
  });
});

/**
 * In the page: scrolls the list in jumps, one per frame, and returns the first place where rows do
 * not fill what is seen.
 */
const scrollThrough = `(async () => {
  const box = document.querySelector('[data-testid=chunk-table]').closest('section');
  const far = box.scrollHeight - box.clientHeight;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const gap = () => {
    const { top, bottom } = box.getBoundingClientRect();
    const rows = Array.from(box.querySelectorAll('tr[data-row]'), (row) => row.getBoundingClientRect());
    const holes = rows.filter((row, at) => at > 0 && Math.abs(row.top - rows[at - 1].bottom) > 0.5).length;
    const head = box.querySelector('th').getBoundingClientRect().bottom;
    return rows[0].top > head + 0.5 || rows.at(-1).bottom < top + box.clientHeight - 0.5 || holes > 0;
  };
  for (let step = 0; step <= 60; step += 1) {
    // up and down, ever farther, to the very end
    const share = step === 60 ? 1 : (step / 60) * (step % 2);
    box.scrollTop = Math.round(share * far);
    await frame();
    if (gap()) return 'a gap at ' + share;
  }
  return box.querySelectorAll('tr[data-row]').length < 200 ? 'filled' : 'all rows are made';
})()`;

describe('The list of chunks', () => {
  it('scrolls through 20,000 without a gap', async () => {
    const bundle = join(folder, 'metrics.json');
    await writeFile(
      bundle,
      [...metricsPieces({ workers: 20, ticks: 20, chunks: 20_000, compact: true })].join(''),
    );
    await driver.open(host.url);
    await driver.drop([bundle]);
    await driver.click('tab-data');
    await driver.read('chunk-list', '20,000, longest first');
    expect(await driver.evaluate(scrollThrough)).toBe('filled');
    // the histogram counts them as all else does: with commas
    await driver.select('distribution-column', 'events');
    await driver.read('distribution', 'in 20,000 chunks');
  });

  it('is narrowed by words in dataset, file or host', async () => {
    await openView('compute');
    const chunks = await ask('chunks', { columns: 'dataset,file' });
    const wjets = rowsOf(chunks).filter((row) =>
      `${chunks.text('dataset', row)} ${chunks.text('file', row)}`.toLowerCase().includes('wjets'),
    );
    await driver.type('chunk-search', 'WJets');
    await driver.read('chunk-list', `${count(wjets.length)} of ${count(chunks.rows)} match`);
    await driver.type('chunk-search', 'nobody has this');
    await driver.read('chunk-list', `0 of ${count(chunks.rows)} match`);
    expect(await driver.complaints()).toEqual([]);
  });
});

describe('Fine metrics', () => {
  it('shows the core’s numbers in each unit', async () => {
    await openView('fine');
    const fine = await ask('fine');
    for (const unit of ['seconds', 'bytes', 'count']) {
      await driver.click(`unit-${unit}`);
      const totals = new Map<string, number>();
      for (const row of rowsOf(fine)) {
        if (fine.text('unit', row) !== unit || fine.text('context', row) !== 'execute') continue;
        const activity = fine.text('activity', row) ?? '';
        // Dask's own by subtraction, which leaves out what was before and after the span
        if (activity.startsWith('idle')) continue;
        totals.set(activity, (totals.get(activity) ?? 0) + fine.number('value', row));
      }
      expect(totals.size).toBeGreaterThan(0);
      for (const [activity, value] of totals)
        await driver.read(
          `[data-testid="activity-execute-${activity}"]`,
          plainText(fineUnit(unit).text(value)),
        );
    }
  });

  it('sums up functions, and says what they come to', async () => {
    await openView('fine');
    const fine = await ask('fine');
    const summed = (keep: (row: number) => boolean) =>
      rowsOf(fine)
        .filter(
          (row) =>
            fine.text('unit', row) === 'seconds' &&
            fine.text('context', row) === 'execute' &&
            keep(row),
        )
        .reduce((sum, row) => sum + fine.number('value', row), 0);
    const prefixes = new Set(rowsOf(fine).map((row) => fine.text('prefix', row) ?? ''));
    for (const prefix of ['ZprimeProcessor', 'reduce', 'automatic_retries']) {
      expect(prefixes).toContain(prefix);
      const total = summed((row) => fine.text('prefix', row) === prefix);
      await driver.read(`fine-total-${prefix}`, plainText(fineUnit('seconds').text(total)));
    }
    const of = (activity: string) =>
      summed(
        (row) =>
          fine.text('prefix', row) === 'ZprimeProcessor' && fine.text('activity', row) === activity,
      );
    const cell = `[data-testid="fine-matrix"] tr[data-row="1"] .fine-cell`;
    const text = async () =>
      plainText(String(await driver.evaluate(`document.querySelector('${cell}')?.textContent`)));
    await expectSoon(text).toBe(plainText(fineUnit('seconds').text(of('thread-cpu'))));
    await driver.read('fine-verdict', String(fine.notes.verdict));
    await driver.read('fine-verdict', String(fine.notes.limits));
    // the idle time of the Summary, in core-s and as its share
    const budget = await ask('budget');
    const idle = budget.rowOf('part', 'idle');
    const seconds = budget.number('core_seconds', idle);
    await driver.read('fine-total-idle', plainText(fineUnit('seconds').text(seconds)));
    await driver.read('fine-share-idle', plainText(percent(budget.number('share', idle))));
    await driver.read('fine-over-run', /heartbeats, every .*on a CPU.*waiting in tasks.*no task/);
    // lengths compare across the table: each bar is as long as its value
    const lengths = (await driver.evaluate(
      `Array.from(document.querySelectorAll('[data-testid="fine-matrix"] tr[data-row="1"] .cell-bar'), (bar) => bar.getBoundingClientRect().width)`,
    )) as number[];
    expect((lengths[0] ?? 0) / (lengths[1] ?? 0)).toBeCloseTo(
      of('thread-cpu') / of('thread-noncpu'),
      2,
    );
  });

  it('opens the activities in Summary', async () => {
    await openView('fine');
    await driver.click('fine-to-summary');
    await driver.read('core-time-tree', 'waiting');
    await expectSoon(driver.address).toContain('activities');
  });

  it('says how many tasks a function had, and what one took', async () => {
    await openView('fine');
    const counts = await ask('task_prefixes');
    expect(counts.rows).toBeGreaterThan(0);
    for (const row of rowsOf(counts)) {
      const prefix = counts.text('prefix', row) ?? '';
      await driver.read(`[data-testid="fine-tasks-${prefix}"]`, count(counts.number('tasks', row)));
      const perTask = plainText(duration(counts.number('seconds_per_task', row)));
      await driver.read(`[data-testid="fine-per-task-${prefix}"]`, perTask);
    }
  });

  it('recomputes the budget for another processor prefix, and the link says so', async () => {
    await openView('fine');
    await driver.read('processor-basis', 'recognised');
    const before = await driver.read('fine-verdict');
    await driver.select('processor', 'reduce');
    await driver.read('processor-basis', 'chosen');
    const budget = await ask('budget', { processor: 'reduce' });
    const outside = budget.number('core_seconds', budget.rowOf('part', 'outside_process'));
    const said = `the processor's tasks ${plainText(coreTime(outside))} outside it`;
    const after = await driver.read('fine-verdict', said);
    expect(after).not.toBe(before);
    await expectSoon(driver.address).toContain('processor=reduce');
    await driver.click('processor-reset');
    await driver.read('processor-basis', 'recognised');
    await expectSoon(driver.address).not.toContain('processor=reduce');
  });
});

describe('Data, Read', () => {
  it('takes bytes that are 0 in every file for not collected, not for none read', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('schema-improve-api')]);
    await driver.read('filter-counts', /chunks/);
    await driver.key('5');
    await driver.click('switch-read');
    await driver.read('access_histogram', 'not collected: 0 in each of 7 files');
    await driver.read('compression_histogram', '7 files');
    // one value is said, not drawn
    await driver.read('branch_histogram', '23.4 % in 7 files');
  });

  it('shows the core’s counters, facts and branches', async () => {
    await openView('read');
    const counters = await ask('bytes');
    for (const row of rowsOf(counters))
      await driver.read(
        `counter-${counters.text('id', row)}`,
        plainText(bytes(counters.number('bytes', row))),
      );
    await driver.read('counters', plainText(percent(note(counters, 'explained'))));
    for (const [question, text] of [
      ['compression_histogram', (value: number) => significant(value)],
      ['branch_histogram', percent],
      ['access_histogram', percent],
    ] as const) {
      const spread = await ask(question);
      await driver.read(question, `${note(spread, 'count')} files`);
      for (const mark of ['median', 'mean'])
        await driver.read(
          `[data-testid=${question}] [data-testid=distribution-${mark}]`,
          plainText(text(note(spread, mark))),
        );
    }
    for (const by of ['host', 'site', 'dataset'] as const) {
      await driver.click(`input-by-${by}`);
      const table = await ask('input', { by });
      for (const row of rowsOf(table))
        await driver.read(
          `input-${row === 0 ? 'all' : table.text('name', row)}`,
          plainText(bytes(table.number('used_bytes', row))),
        );
    }
    const input = await ask('input');
    await driver.read('input-verdict', String(input.notes.verdict));
    await driver.read('input-verdict', String(input.notes.waiting));
    await driver.click('rate-by-compression');
    await expectSoon(() => chartText('data-rate-chart')).toContain('to 60 %, to 70 %, to 80 %');
    await expectSoon(() => chartText('host-load-chart')).toContain('Time of 357 chunks');
    await driver.click('load-by-load');
    await expectSoon(() => chartText('host-load-chart')).toContain('Read rate of 357 chunks');
    const hosts = await ask('hosts');
    for (const row of rowsOf(hosts))
      await driver.read(
        `[data-testid="host-${hosts.text('name', row)}"]`,
        plainText(significant(hosts.number('bytes_per_second_together', row) / 1e6)),
      );
    await expectNumbers('file-table').toEqual(
      printed(await ask('access'), fileColumns, 'times_others'),
    );
    const branches = await ask('branches');
    await driver.read('branches', `${branches.rows} of ${note(branches, 'branches_total')}`);
    await expectNumbers('branch-table', 100).toEqual(
      printed(branches, branchColumns, 'chunks', 100),
    );
    expect(await driver.complaints()).toEqual([]);
  });

  it('has the branches to preload as Python', async () => {
    await openView('read');
    await driver.read('branches', /Copy as Python list.*17 branches read by every chunk/s);
  });

  it('selects a site’s hosts by its bar', async () => {
    await openView('read');
    await driver.click('input-by-site');
    await driver.click('[data-testid=input] button.bar-name');
    await driver.read('filter-counts', / of [\d,]+ chunks/);
    await expectSoon(async () => (await selected())?.hosts).toEqual(['local']);
  });
});
