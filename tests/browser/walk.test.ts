/**
 * Clicks to an answer: what somebody who opens a run wants to know, on three recordings, with the
 * clicks that docs/summary.md promises. What is read is what the core answers.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import type { RunId } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import { findingsOf, isFact } from '../../web/state/finding';
import { bundle as filesOf, pathOf } from '../support/bundles';
import type { Driver } from './driver';
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
  /** from the opened run, in this order */
  clicks: readonly string[];
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
    clicks: [],
    place: 'run-verdict',
    says: async (run) => {
      const found = findingsOf(await core.ask('findings', { runs: [run] }));
      const [first] = found.filter((finding) => !isFact(finding));
      return first?.title ?? noteOf('core_time_tree', 'verdict', { depth: 0 })(run);
    },
  },
  {
    question: 'where did the core-time go?',
    clicks: [],
    place: 'tile-process',
    says: /\d %/,
  },
  {
    question: 'what to optimise, and what it brings?',
    clicks: [],
    place: 'whatif-part',
    says: /\d m?s|min|cannot tell/,
  },
  {
    question: 'would more workers help?',
    clicks: ['whatif-cores-more'],
    place: 'whatif-cores',
    says: /\d m?s|min|cannot tell/,
  },
  {
    question: 'is storage the limit?',
    clicks: ['closer-read'],
    place: 'input-verdict',
    says: noteOf('input', 'waiting'),
  },
  {
    question: 'which worker is bad?',
    clicks: ['closer-timelines'],
    place: 'timelines-verdict',
    says: noteOf('workers', 'verdict'),
  },
  {
    question: 'which dataset or chunk is slow, and why?',
    clicks: ['closer-compute'],
    place: 'compute-verdict',
    says: async (run) => {
      const findings = await core.ask('findings', { runs: [run] });
      const worst = findings.rowOf('view', 'Chunks');
      return findings.text('title', worst) ?? '';
    },
  },
  {
    question: 'which of my functions, and what would it gain?',
    clicks: ['tab-flame'],
    place: 'flame-verdict',
    says: /\w+ takes .*\d core-s.*(shorter|Saving not known)/s,
  },
  {
    question: 'can I trust the recording?',
    clicks: ['notes-count'],
    place: 'recording-verdict',
    says: /This recording answers \d+ of 10 questions/,
  },
  {
    question: 'which file is bad?',
    clicks: ['closer-read'],
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
    clicks: ['closer-compute'],
    place: 'tail',
    says: /95 % done at/,
  },
  {
    question: 'would smaller workers do?',
    clicks: [],
    place: 'tile-memory',
    says: /would do|of the limit/,
  },
  {
    question: 'which branches are read?',
    clicks: ['closer-read'],
    place: 'branches',
    says: /\d+ of \d+.*Copy as Python list.*\d+ branches read by every chunk/s,
  },
];

describe.each(['local-4x1', 'adaptive', 'ab-before'])('%s', (bundle) => {
  it.each(steps)('$question', async ({ clicks, place, says }) => {
    const { runs } = await core.open(await filesOf(bundle));
    await driver.open(host.url);
    await driver.resize(1440, 900);
    await driver.drop([pathOf(bundle)]);
    await driver.read('tile-elapsed', /\d/);
    for (const click of clicks) await driver.click(click);
    expect(clicks.length).toBeLessThanOrEqual(1);
    await driver.read(place, says instanceof RegExp ? says : await says(runs[0] ?? -1));
  });
});

it('what changed between two runs? stands where the link leads', async () => {
  const url = encodeURIComponent('samples/before-after.zip');
  await driver.open(`${host.url}#url=${url}&view=compare`);
  await driver.read('compare-verdict', /dimuon_candidates|slower/);
});
