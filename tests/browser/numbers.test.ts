/**
 * One quantity, one number: a walk through every view of every recorded bundle collects what each
 * shows of a cell of the core's answers, and what the terminal and the exports say of it. All that
 * is said of one cell is one value in one unit.
 */
import { expect, it } from 'vitest';
import { bundleNames, pathOf } from '../support/bundles';
import { crema } from '../support/program';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

const number = String.raw`(-?[\d,.]+(?: min [\d.]+)?)`;
const coreSeconds = String.raw`${number} core-s`;
const percents = String.raw`(?:< )?${number} %`;

/** Where a number stands in the text of a view or of the terminal, by the cell that it shows. */
const shownIn: Record<string, Record<string, readonly string[]>> = {
  'summary.elapsed': {
    summary: [
      String.raw`^Elapsed ${number} s`,
      String.raw`Measured .*? events ${number} s`,
      String.raw`up to [\d.]+ m?s of ${number} s`,
      String.raw`as recorded ${number} s`,
      String.raw`it took ${number} s`,
    ],
    runs: [String.raw`as recorded \d+ [\d,]+ ${number} s`],
    terminal: [String.raw`recorded \S+ +${number} s`],
  },
  'summary.available': {
    summary: [String.raw`Core time ${coreSeconds}`, String.raw`core-time went ${coreSeconds}`],
    page: [String.raw`events · ${coreSeconds}`],
    terminal: [String.raw`available ${coreSeconds}`],
  },
  'summary.cores': {
    summary: [String.raw`${number} cores · peak`],
    timelines: [String.raw`in process\(\) of ${number}`],
  },
  'budget.inside': {
    summary: [String.raw`Inside process\(\): ${coreSeconds}`],
    fine: [String.raw`process\(\) took ${coreSeconds}`],
    terminal: [String.raw`Inside process\(\) +${coreSeconds}`],
  },
  'budget.inside.share': {
    summary: [
      String.raw`In process\(\) ${percents}`,
      String.raw`Inside process\(\): [\d.]+ core-s, ${percents}`,
    ],
    terminal: [String.raw`Inside process\(\) +[\d.]+ core-s +${percents}`],
  },
  'budget.outside': {
    summary: [String.raw`Outside process\(\): ${coreSeconds}`],
    fine: [String.raw`processor's tasks ${coreSeconds} outside it`],
    terminal: [String.raw`outside process\(\) +${coreSeconds}`],
  },
  'budget.lost': {
    summary: [String.raw`Repeated work: ${coreSeconds}`],
    fine: [String.raw`repeated work ${coreSeconds}`],
    terminal: [String.raw`Repeated work +${coreSeconds}`],
  },
  'budget.lost.share': {
    summary: [
      String.raw`Repeated work: [\d.]+ core-s, ${percents}`,
      String.raw`${percents} of the core-time was repeated work`,
    ],
    terminal: [
      String.raw`Repeated work +[\d.]+ core-s +${percents}`,
      String.raw`${percents} of the core-time was repeated work`,
    ],
  },
  'budget.idle': {
    summary: [String.raw`Idle: ${coreSeconds}`],
    fine: [String.raw`idle available − tasks(?: –)* ${number}`],
    terminal: [String.raw`Idle +${coreSeconds}`],
  },
  'budget.idle.share': {
    summary: [String.raw`Idle: [\d.]+ core-s, ${percents}`],
    fine: [String.raw`idle available − tasks(?: –)* [\d.]+ ${percents}`],
    terminal: [String.raw`Idle +[\d.]+ core-s +${percents}`],
  },
  'budget.busy.share': {
    summary: [String.raw`in tasks ${percents}`],
    // an activity may have less than 0.1 % of the row
    fine: [String.raw`all tasks (?:[\d.]+ |< [\d.]+ % )+${percents}`],
  },
  'budget.cpu.share': {
    summary: [String.raw`On a CPU ${percents}`, String.raw`on a CPU [\d.]+ core-s · ${percents}`],
    fine: [String.raw`in tasks, ${percents} on a CPU`],
  },
  'budget.waiting.share': {
    summary: [String.raw`waiting [\d.]+ core-s · ${percents}`],
    fine: [String.raw`^${percents} of the core-time was waiting`],
  },
  'tasks.lost': {
    summary: [String.raw`${number} of \d+ executions were repeated`],
    timelines: [String.raw`${number} of \d+ tasks ran again`, String.raw`repeated ${number}`],
    terminal: [String.raw`${number} of \d+ executions were repeated`],
  },
  'tasks.executions': {
    summary: [String.raw`\d+ of ${number} executions were repeated`],
    timelines: [String.raw`\d+ of ${number} tasks ran again`],
    fine: [String.raw`processor (?:[\d.]+ )+[\d.]+ % ${number}`],
  },
  'memory.share': {
    summary: [String.raw`${percents} of the limit`],
    timelines: [String.raw`Peak memory: ${percents} of the limit`],
  },
  'chunks.outliers': {
    summary: [String.raw`${number} chunks? took more than 3 times`],
    compute: [
      String.raw`outliers ${number}`,
      String.raw`^${number} chunks? took more than 3 times`,
    ],
    terminal: [String.raw`${number} chunks? took more than 3 times`],
  },
  'input.read': {
    read: [String.raw`(${number} [kMG]?B) were read`, String.raw`: (${number} [kMG]?B) for`],
    terminal: [String.raw`Bytes read: (${number} [kMG]?B) for`],
  },
};

/** "41.0" and "41" are one number, "1 min 27.9" another than "87.9": a quantity has one form. */
const valueIn = (text: string): string =>
  text
    .replaceAll(',', '')
    .replace(/(\.\d*?)0+(?= |$)/, '$1')
    .replace(/\.(?= |$)/, '');

interface Shown {
  cell: string;
  place: string;
  value: string;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

function shownOf(place: string, text: string): Shown[] {
  return Object.entries(shownIn).flatMap(([cell, places]) =>
    (places[place] ?? []).flatMap((pattern) =>
      [...text.matchAll(new RegExp(pattern, 'gm'))].map((match) => ({
        cell,
        place: `${place}: ${match[0]}`,
        value: valueIn(match[1] ?? ''),
      })),
    ),
  );
}

const views = ['summary', 'timelines', 'fine', 'flame', 'compute', 'read', 'runs', 'recording'];

/** The text of what is open, panel by panel in one line each, and that of the page's head. */
const textOfView = `[...document.querySelectorAll('#view [data-testid], #view .finding, #view tr')]
  .map((one) => (one.innerText || one.textContent || '').replace(/\\s+/g, ' ').trim()).join('\\n')`;
const textOfPage = `document.querySelector('[data-testid="filter-chunks"]')?.parentElement?.innerText ?? ''`;

async function walk(bundle: string): Promise<Shown[]> {
  await driver.open(`${host.url}`);
  await driver.drop([pathOf(bundle)]);
  await driver.read('run-chip', bundle);
  await driver.read('tile-elapsed', /\d|not recorded/);
  await settled(driver);
  const shown: Shown[] = [];
  for (const view of views) {
    await driver.evaluate(`location.hash = '#view=${view}'; 0`);
    await driver.read(`#view [data-testid^="view-"]`);
    await settled(driver);
    shown.push(...shownOf(view, String(await driver.evaluate(textOfView))));
    shown.push(...shownOf('page', plain(String(await driver.evaluate(textOfPage)))));
  }
  // each finding has a page of its own
  await driver.evaluate(`location.hash = '#view=summary'; 0`);
  await settled(driver);
  const links = (await driver.evaluate(
    `[...document.querySelectorAll('.finding-link')].filter((one) => /Show me/.test(one.innerText)).map((one) => one.getAttribute('href'))`,
  )) as string[];
  for (const link of links) {
    await driver.evaluate(`location.hash = ${JSON.stringify(link)}; 0`);
    await driver.read('finding-page');
    await settled(driver);
    shown.push(...shownOf('summary', String(await driver.evaluate(textOfView))));
  }
  const { stdout } = crema(['summary', pathOf(bundle)]);
  shown.push(...shownOf('terminal', stdout));
  return shown;
}

/** The cells of which more than one value is shown, each value with a place where it stands. */
function disputed(shown: readonly Shown[]): string[] {
  return [...new Set(shown.map(({ cell }) => cell))].flatMap((cell) => {
    const of = new Map(
      shown.filter((one) => one.cell === cell).map(({ value, place }) => [value, place]),
    );
    return of.size > 1
      ? [`${cell}: ${[...of].map(([value, place]) => `${value} (${place})`).join(' | ')}`]
      : [];
  });
}

/** Names and first numbers of the rows of a panel, by its test ids. */
const rowsOfPanel = (name: string, value: string) => `(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.innerText);
  const values = texts('${value}');
  return texts('${name}').map((name, row) => [name, values[row]]);
})()`;

it('two runs: what changed is one number in the headline, the waterfall, the bar, the matrix and the terminal', async () => {
  const recordings = [pathOf('lab', 'healthy.zip'), pathOf('lab', 'slow-section.zip')];
  await driver.open(`${host.url}`);
  await driver.drop(recordings);
  await driver.read('view-compare');
  await settled(driver);
  const line = plain(await driver.read('compare-verdict', /beyond/));
  const [, section, change] = /(\w+): ([+−][\d.]+) ± [\d.]+ core-s beyond/.exec(line) ?? [];
  const steps = (await driver.evaluate(
    rowsOfPanel('[data-testid="step-name"]', '[data-testid="step-change"]'),
  )) as [string, string | undefined][];
  expect(new Map(steps).get(`section ${section}`)).toBe(change);
  await driver.read('explained', `${change} ·`);
  // two digits there
  const cell = await driver.read(`cell--${section}`);
  expect(Number.parseFloat(cell)).toBeCloseTo(Number.parseFloat(change ?? ''), 0);
  const { stdout } = crema(['ask', ...recordings, 'verdict', '--json']);
  expect(stdout).toContain(`${section}: ${change} ±`);
  await driver.read('pairs', /chunks of A paired/);
});
it.each(bundleNames())('%s says one number of each quantity', async (bundle) => {
  const shown = await walk(bundle);
  expect(disputed(shown)).toEqual([]);
  // a walk that finds nothing proves nothing
  if (bundle !== 'adaptive') return;
  for (const cell of Object.keys(shownIn).filter((one) => !one.startsWith('input')))
    expect(
      new Set(shown.filter((one) => one.cell === cell).map(({ place }) => place)).size,
      cell,
    ).toBeGreaterThan(1);
});
