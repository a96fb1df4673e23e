/**
 * Clicks to an answer: what somebody who opens a run wants to know, on three recordings, with the
 * clicks that docs/summary.md promises. What is read is what the core answers.
 */
import { beforeAll, describe, it } from 'vitest';
import { factOf, factText } from '../../web/domain/facts';
import type { CoreEngine } from '../../web/engine/core';
import type { RunId } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import { findingsOf, isFact } from '../../web/state/finding';
import { bundle as filesOf, pathOf } from '../support/bundles';
import { type Driver, plainText } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';

let host: Host;
let driver: Driver;
let core: CoreEngine;

useScene((scene) => {
  ({ host, driver } = scene);
});
beforeAll(async () => {
  core = await createNodeEngine();
});

interface Step {
  question: string;
  /** from the Summary; without one, what is asked stands there */
  click?: string;
  /** where the answer stands */
  place: string;
  says: RegExp | ((run: RunId) => Promise<string>);
}

const noteOf =
  (
    question: 'core_time_tree' | 'input' | 'workers',
    note: string,
    options: Record<string, string | number> = {},
  ) =>
  async (run: RunId) =>
    String((await core.ask(question, { runs: [run], options })).notes[note]);

const steps: readonly Step[] = [
  {
    question: 'what is wrong?',
    place: 'run-verdict',
    says: async (run) => {
      const found = findingsOf(await core.ask('findings', { runs: [run] }));
      const [first] = found.filter((finding) => !isFact(finding));
      return first?.title ?? noteOf('core_time_tree', 'verdict', { depth: 0 })(run);
    },
  },
  {
    question: 'where did the core-time go?',
    place: 'tile-process',
    says: /\d %/,
  },
  {
    question: 'what to optimise, and what it brings?',
    place: 'findings',
    says: /up to [\d.]+|cost [\d.]+|saving not known|No fault found|costs no time/,
  },
  {
    question: 'would more workers help?',
    place: 'whatif-here',
    says: /\d cores? .*\d (m?s|min)/,
  },
  {
    question: 'is storage the limit?',
    click: 'closer-read',
    place: 'input-verdict',
    says: noteOf('input', 'waiting'),
  },
  {
    question: 'which worker is bad?',
    click: 'closer-timelines',
    place: 'timelines-verdict',
    says: noteOf('workers', 'verdict'),
  },
  {
    question: 'which dataset or chunk is slow, and why?',
    click: 'closer-compute',
    place: 'compute-verdict',
    says: async (run) => {
      const findings = await core.ask('findings', { runs: [run] });
      const worst = findings.rowOf('view', 'Chunks');
      return findings.text('title', worst) ?? '';
    },
  },
  {
    question: 'which of my functions, and what would it gain?',
    click: 'tab-flame',
    place: 'flame-verdict',
    says: /\w+ takes .*\d core-s.*(shorter|Saving not known)/s,
  },
  {
    question: 'can I trust the recording?',
    click: 'notes-count',
    place: 'recording-verdict',
    says: /This recording answers \d+ of 10 questions/,
  },
  {
    question: 'which file is bad?',
    click: 'closer-read',
    place: '[data-testid="file-table"] tbody tr:first-child',
    says: async (run) => {
      const files = await core.ask('access', { runs: [run] });
      const pace = Array.from(files.numbers('times_others'));
      const slowest = pace.indexOf(Math.max(...pace.filter(Number.isFinite)));
      return (files.text('file', slowest) ?? '').split('/').slice(-2).join('/');
    },
  },
  {
    question: 'what about the tail?',
    click: 'closer-compute',
    place: 'tail',
    says: /95 % done at/,
  },
  {
    question: 'would smaller workers do?',
    place: 'tile-memory',
    says: async (run) => {
      const summary = await core.ask('summary', { runs: [run] });
      const share = factOf(summary, 'memory_utilization_peak');
      return plainText(`${share ? factText(share) : 'no share'} of the limit`);
    },
  },
  {
    question: 'which branches are read?',
    click: 'closer-read',
    place: 'branches',
    says: /\d+ of \d+.*Copy as Python list.*\d+ branches read by every chunk/s,
  },
];

describe.each(['local-4x1', 'adaptive', 'ab-before'])('%s', (bundle) => {
  let run = -1;
  beforeAll(async () => {
    run = (await core.open(await filesOf(bundle))).runs[0] ?? -1;
    await driver.open(host.url);
    await driver.resize(1440, 900);
    await driver.drop([pathOf(bundle)]);
    await driver.read('tile-elapsed', /\d/);
  });

  it.each(steps)('$question', async ({ click, place, says }) => {
    // whatever the step before left open
    await driver.key('Escape');
    await driver.key('1');
    await driver.read('tile-elapsed', /\d/);
    if (click) await driver.click(click);
    await driver.read(place, says instanceof RegExp ? says : await says(run));
  });
});

interface Truth {
  question: string;
  /** what is dropped: recordings of tests/data/lab, to which one thing was done, or of tests/data */
  recordings: readonly string[];
  click?: string;
  place: string;
  /** what was done to them, as a reader would look for it */
  says: RegExp;
}

const recordingOf = (name: string): string =>
  name.endsWith('.zip') ? pathOf('lab', name) : pathOf(name);

/**
 * The questions of a physicist, where the answer is known because somebody caused it. "Since when is
 * it slower?" is asked in history.test.ts.
 */
const truths: readonly Truth[] = [
  {
    question: 'where did the time go?',
    recordings: ['slow-section.zip'],
    place: 'findings',
    says: /% of process\(\) is in section model/,
  },
  {
    question: 'which dataset is slow, and why?',
    recordings: ['slow-dataset-cpu.zip'],
    click: 'closer-compute',
    place: 'compute-verdict',
    says: /Section masses of ttbar took [\d.]+ times as long/,
  },
  {
    // the busy loop is a function of its own
    question: 'which function, and what would it gain?',
    recordings: ['slow-dataset-cpu.zip'],
    click: 'tab-flame',
    place: 'flame-verdict',
    says: /^compute takes the most .* Twice as fast, the run could be up to [\d.]+ m?s shorter/s,
  },
  {
    question: 'which worker is bad?',
    recordings: ['slow-worker.zip'],
    click: 'closer-timelines',
    place: 'timelines-verdict',
    says: /Worker 0 took [\d.]+ times as long per event/,
  },
  {
    // all files share 3 MB/s
    question: 'is storage the limit?',
    recordings: ['bandwidth-limited.zip'],
    click: 'closer-read',
    place: 'input-verdict',
    says: /kB\/s from host 127\.0\.0\.1.*wait for the transfer/,
  },
  {
    question: 'what changed?',
    recordings: ['healthy.zip', 'slow-section.zip'],
    place: 'compare-verdict',
    says: /^B took 1\.\d+ times as long .*Section model grew most.*model: \+/s,
  },
  {
    // four workers on two CPUs gave less than two
    question: 'how many workers?',
    recordings: ['scale-1', 'scale-2', 'scale-4'],
    place: 'scaling-verdict',
    says: /^2 cores were best/,
  },
  {
    question: 'which branches are read in vain?',
    recordings: ['read-all-branches.zip'],
    click: 'closer-read',
    place: 'branches',
    says: /30 branches read by every chunk/,
  },
  {
    question: 'can I trust the recording?',
    recordings: ['no-decorator'],
    click: 'notes-count',
    place: 'recording-verdict',
    says: /^This recording answers [1-4] of 10 questions/,
  },
  {
    question: 'and where nothing was done?',
    recordings: ['healthy.zip'],
    place: 'findings',
    says: /No fault found/,
  },
];

it.each(truths)('$question is answered with what was done to $recordings', async (truth) => {
  await driver.open(host.url);
  await driver.resize(1440, 900);
  await driver.drop(truth.recordings.map(recordingOf));
  if (truth.click) await driver.click(truth.click);
  await driver.read(truth.place, truth.says);
});

it('a run without chunks has no share of process(), which is not 0 %', async () => {
  await driver.open(host.url);
  await driver.drop([pathOf('no-decorator')]);
  await driver.read('run-verdict', /% of the core-time was in the processor's tasks/);
});

it('what changed between two runs? stands where the link leads', async () => {
  const url = encodeURIComponent('samples/before-after.zip');
  await driver.open(`${host.url}#url=${url}&view=compare`);
  await driver.read('compare-verdict', /dimuon_candidates|slower/);
});
