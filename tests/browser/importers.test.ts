/** Profiles of other tools that the real speedscope opens, too: it counts for each function what is counted here. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createNodeEngine } from '../../web/engine/node';
import { pathOf } from '../support/bundles';
import { openChromiumWithWebGL } from './chromium';
import type { Driver } from './driver';
import { useScene } from './scene';
import { serveSpeedscope } from './speedscope';

let driver: Driver;

useScene((scene) => {
  ({ driver } = scene);
}, openChromiumWithWebGL);

interface Counts {
  total: number;
  self: number;
}
type Functions = Map<string, Counts>;

interface Frame {
  name: string;
  file?: string;
}

/** What speedscope saves of what it opened. */
interface Saved {
  shared: { frames: Frame[] };
  profiles: {
    type: string;
    unit: string;
    startValue: number;
    events?: { type: 'O' | 'C'; frame: number; at: number }[];
    samples?: number[][];
    weights?: number[];
  }[];
}

const of = (functions: Functions, key: string): Counts => {
  const known = functions.get(key) ?? { total: 0, self: 0 };
  functions.set(key, known);
  return known;
};

/** The function's name and file: speedscope has the arguments of a trace's event in its name. */
function keyOf(frame: Frame): string {
  const [, bare = frame.name, args] = /^(.*?) (\{.*\})$/s.exec(frame.name) ?? [];
  const [, name = bare, file = ''] = /^(.*) \((.*):\d+\)$/.exec(bare) ?? [];
  const given = args ? (JSON.parse(args).filename ?? '') : (frame.file ?? file);
  return `${name.replace(/^\?\?\? \(.*\)$/, '[unknown]')} in ${given}`;
}

function theirs({ shared, profiles }: Saved): Functions {
  const functions: Functions = new Map();
  const scale: Record<string, number> = {
    nanoseconds: 1e-9,
    microseconds: 1e-6,
    milliseconds: 1e-3,
  };
  for (const profile of profiles) {
    const factor = scale[profile.unit] ?? 1;
    const count = (stack: readonly number[], weight: number) => {
      const keys = stack.map((frame) => keyOf(shared.frames[frame] ?? { name: '' }));
      for (const key of new Set(keys)) of(functions, key).total += weight * factor;
      const last = keys.at(-1);
      if (last !== undefined) of(functions, last).self += weight * factor;
    };
    for (const [index, stack] of (profile.samples ?? []).entries())
      count(stack, profile.weights?.[index] ?? 0);
    const stack: number[] = [];
    let before = profile.startValue;
    for (const { type, frame, at } of profile.events ?? []) {
      count(stack, at - before);
      before = at;
      if (type === 'O') stack.push(frame);
      else stack.pop();
    }
  }
  return functions;
}

async function ours(path: string, content: Uint8Array): Promise<Functions> {
  const engine = await createNodeEngine();
  const { runs } = await engine.open([{ path, data: new Blob([content.slice()]) }]);
  const [artefact] = await engine.export(runs[0] ?? 0, 'speedscope', {
    options: { merged: 'true' },
  });
  if (!artefact) throw new Error('nothing was exported');
  return theirs(JSON.parse(new TextDecoder().decode(artefact.content)) as Saved);
}

/** Those that took anything, to ten microseconds and to the byte. */
function rounded(functions: Functions, shown: (counts: Counts) => number): Record<string, string> {
  const counted = [...functions].filter(
    ([key, { total }]) => total > 1e-6 && !key.startsWith('edge'),
  );
  return Object.fromEntries(counted.map(([key, counts]) => [key, shown(counts).toFixed(5)]));
}

/**
 * speedscope gives a sample of perf half the time to the one before and to the one after. So each
 * thread's are set one period apart, and one more at each end.
 */
function evenly(text: string): string {
  const threads = new Map<string, string[]>();
  for (const sample of text.split('\n\n').filter((one) => one.trim() !== '')) {
    const [, thread = ''] = /^(\S+ \d+) /.exec(sample) ?? [];
    threads.set(thread, [...(threads.get(thread) ?? []), sample.slice(sample.indexOf('\n'))]);
  }
  const period = 20_408_163; // [ns]
  const edge = '\n\t 1 edge+0x0 (x)';
  return [...threads]
    .flatMap(([thread, stacks]) =>
      [edge, ...stacks, edge].map((stack, index) => {
        const time = ((index * period) / 1e9).toFixed(9);
        return `${thread} ${time}: ${period} cpu-clock:pppH: ${stack}\n\n`;
      }),
    )
    .join('');
}

it.each([
  ['viztracer.json.gz', 'viztracer.json'],
  ['py-spy.trace.json.gz', 'trace.json'],
  ['go-cpu.pb.gz', 'cpu.pb'],
  ['go-allocs.pb.gz', 'allocs.pb'],
  ['perf.txt', 'perf.txt'],
])('%s', async (recorded, called) => {
  const file = new Uint8Array(await readFile(pathOf('tools', recorded)));
  const unpacked = recorded.endsWith('.gz') ? new Uint8Array(gunzipSync(file)) : file;
  const content = called.endsWith('.txt')
    ? new TextEncoder().encode(evenly(new TextDecoder().decode(unpacked)))
    : unpacked;
  const viewer = await serveSpeedscope(content, called);
  try {
    await driver.open(viewer.url);
    await driver.read('body > div', '%)');
    const saved = await driver.saveBy('Control+s');
    const file = JSON.parse(new TextDecoder().decode(saved.content)) as Saved;
    const expected = theirs(file);
    const found = await ours(called, content);
    // of an inlined function speedscope knows but the one that it was inlined into
    if (called.endsWith('.pb')) {
      const selves = [expected, found].map((one) =>
        [...one.values()].reduce((sum, { self }) => sum + self, 0),
      );
      expect(selves[1]).toBeCloseTo(selves[0] ?? 0, 5);
      for (const key of found.keys()) if (!expected.has(key)) found.delete(key);
    } else {
      const self = (counts: Counts) => counts.self;
      expect(rounded(found, self)).toEqual(rounded(expected, self));
    }
    const total = (counts: Counts) => counts.total;
    expect(rounded(found, total)).toEqual(rounded(expected, total));
    expect(expected.size).toBeGreaterThan(5);
  } finally {
    await viewer.close();
  }
});
