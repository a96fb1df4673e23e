// npm run bench: measures speed as ratios to a peer in the same run. Prints one line per figure (the
// ratio is peer : ours, so above 1 is better) and writes build/bench.json.
//
//   npm run bench                    all speeds but `huge`
//   npm run bench -- NAME...         only these: reading, questions, manyRuns, flame, firstView,
//                                    coreTime, scatter, history, cold, dropped, timelines, interactions
//     cold, dropped                  take --engine chromium|firefox and --rounds N
//     huge                           drops 6 GB into one tab, or --gigabytes N
//     live                           follows 8 hours at 100 times the speed, or --hours, --chunks, --speed,
//                                    --from (an hour), --parts
//   npm run bench -- --against COMMIT  builds that commit, too, and compares the speed of both
//
// The benches in `judgements` below measure no speed but how often an answer is wrong. --bundles
// FOLDER names the recordings; all but verdicts and changes need it. `causes --thresholds` prints how
// much each threshold of the findings matters, `--leave-one-out` the scores with thresholds fitted
// without the kind of cause that is scored.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPreset } from './native.mjs';
import { buildPages } from './page.mjs';
import { Failed, main, root } from './run.mjs';
import { setUp } from './setup.mjs';

/** What can be measured; imported when it is, because they import what is built before. */
const benches = {
  reading: async () => (await import('../tests/bench/reading.mjs')).reading(),
  questions: async () => (await import('../tests/bench/questions.mjs')).questions(),
  manyRuns: async () => (await import('../tests/bench/many_runs.mjs')).manyRuns(),
  flame: async () => (await import('../tests/bench/flame.mjs')).flameGraphs(),
  firstView: async () => (await import('../tests/bench/first_view.mjs')).firstView(),
  coreTime: async () => (await import('../tests/bench/core_time.mjs')).coreTime(),
  scatter: async () => (await import('../tests/bench/scatter.mjs')).scatter(),
  history: async () => (await import('../tests/bench/history.mjs')).history(),
  cold: async (options) => (await import('../tests/bench/cold.mjs')).cold(options),
  dropped: async (options) => (await import('../tests/bench/cold.mjs')).dropped(options),
  huge: async (options) => (await import('../tests/bench/huge.mjs')).huge(options),
  timelines: async () => (await import('../tests/bench/timelines.mjs')).timelines(),
  interactions: async () => (await import('../tests/bench/interactions.mjs')).interactionTimes(),
  live: async (options) => (await import('../tests/bench/live.mjs')).live(options),
  verdicts: async (options) => (await import('../tests/bench/verdicts.mjs')).verdicts(options),
  pairs: async (options) => (await import('../tests/bench/pairs.mjs')).pairs(options),
  promises: async (options) => (await import('../tests/bench/promises.mjs')).promises(options),
  causes: async (options) => (await import('../tests/bench/causes.mjs')).causes(options),
  predictions: async (options) =>
    (await import('../tests/bench/predictions.mjs')).predictions(options),
  failures: async (options) => (await import('../tests/bench/failures.mjs')).failures(options),
  replays: async (options) => (await import('../tests/bench/replays.mjs')).replays(options),
  progress: async (options) => (await import('../tests/bench/progress.mjs')).progress(options),
  changes: async (options) => (await import('../tests/bench/changes.mjs')).changes(options),
};

/** Those need the command line only, and recordings whose truth is known. */
const judgements = [
  'verdicts',
  'pairs',
  'promises',
  'causes',
  'predictions',
  'failures',
  'replays',
  'progress',
  'changes',
];
/** These take minutes, or gigabytes of room. */
const isUsual = (name) => ![...judgements, 'huge', 'live'].includes(name);

await main(async () => {
  const { values, positionals } = parseArgs({
    options: {
      bundles: { type: 'string' },
      program: { type: 'string' },
      thresholds: { type: 'boolean' },
      'leave-one-out': { type: 'boolean' },
      engine: { type: 'string' },
      gigabytes: { type: 'string' },
      hours: { type: 'string' },
      chunks: { type: 'string' },
      speed: { type: 'string' },
      rounds: { type: 'string' },
      from: { type: 'string' },
      parts: { type: 'string' },
      against: { type: 'string' },
      keep: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !(name in benches));
  if (unknown)
    throw new Failed(`There is no bench ${unknown}; there are ${Object.keys(benches).join(', ')}.`);
  const isAgainstBest = values.against === 'best' || values.keep;
  if (values.against !== undefined && !isAgainstBest) {
    await setUp(['wasm', 'native']);
    await buildPreset('native', ['crema']);
    await buildPreset('wasm', ['crema_wasm']);
    const { against } = await import('../tests/bench/against.mjs');
    await against(values.against);
    return;
  }
  if (positionals.length > 0 && positionals.every((name) => judgements.includes(name))) {
    await setUp(['native']);
    await buildPreset('native', ['crema']);
  } else {
    await setUp(['wasm', 'native', 'browser']);
    await buildPreset('wasm', ['crema_wasm', 'crema_bench_questions']);
    await buildPreset('native', ['crema', 'crema_bench_reading', 'crema_bench_questions']);
    await buildPages();
  }

  const figures = [];
  for (const [name, bench] of Object.entries(benches)) {
    const wanted = positionals.length > 0 ? positionals : Object.keys(benches).filter(isUsual);
    if (!wanted.includes(name)) continue;
    console.log(`\n== ${name}`);
    figures.push(...(await bench(values)));
  }
  if (figures.length === 0) return;
  const shown = (value) => (value === undefined ? '–' : value.toFixed(1));
  const line = (name, ours, peer, ratio) =>
    name.padEnd(84) + ours.padStart(10) + peer.padStart(10) + ratio.padStart(8);
  console.log(`\n${line('name', 'ours', 'peer', 'ratio')}`);
  for (const { name, ours, peer, unit, peerName } of figures) {
    console.log(
      line(
        `${name} [${unit}]`,
        shown(ours),
        shown(peer),
        peer === undefined ? '–' : (peer / ours).toFixed(2),
      ),
    );
    if (peerName) console.log(`  peer: ${peerName}`);
  }
  if (isAgainstBest) {
    const { againstBest, keepBest } = await import('../tests/bench/best.mjs');
    const rows = againstBest(figures);
    console.log(`\n${line('ratios against the best ever', 'now', 'best', '')}`);
    for (const { name, now, best, moved } of rows)
      console.log(line(name, now.toFixed(2), best?.toFixed(2) ?? '–', moved));
    if (values.keep) keepBest(rows);
  }
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(join(root, 'build/bench.json'), `${JSON.stringify(figures, null, 2)}\n`);
});
