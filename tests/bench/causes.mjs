// Whether findings name what was wrong with a run: the first three of each recording against the
// cause that was put into it (truth.json in its folder or zip). `npm run bench -- causes --bundles
// FOLDER`. Strict: a cause is right only where its kind and its place are, and no finding of the run
// says anything untrue. A function need not be named, but a wrong one is untrue.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPreset } from '../../scripts/native.mjs';
import { Failed, root } from '../../scripts/run.mjs';

const program = join(root, 'build/native/crema');
const factor = 1.5; // of the cost

const placeKeys = ['file', 'dataset', 'host', 'worker', 'section', 'error'];

/**
 * Of each cause what findings say it: their ids, and what their text has to have where an id says
 * less. Nothing says a cause of which no finding speaks; a symptom alone is a part of the answer.
 * `at`: what of the place must be named, where the cause cannot be seen at all of it. `crema ask …
 * rules` has all ids: `checkIds` refuses others.
 */
const kinds = {
  // Habits of analyses. What a whole process shows (its memory, its collector) is at no section.
  leak: { says: ['memory-grows'], symptoms: ['memory-near-limit'], at: [] },
  garbage: { says: ['garbage-collection'], symptoms: ['own-function'], at: [] },
  'event-loop': {
    says: ['needless-calls', 'own-function'],
    text: /closest_pairs, which goes through an awkward array item by item/,
    symptoms: ['own-function'],
  },
  'setup-per-chunk': { says: ['small-chunks'], symptoms: ['small-chunks', 'own-function'] },
  'warm-up': { says: ['first-chunks'], symptoms: ['first-chunks', 'stragglers', 'start-up'] },
  'big-temporaries': {
    says: ['system-time'],
    symptoms: ['own-function', 'memory-near-limit'],
    at: [],
  },
  logging: {
    says: ['needless-calls', 'own-function'],
    text: /logging's debug, most of it called by note_each/,
    symptoms: ['own-function'],
  },
  'heavy-merge': { says: ['reduction'], symptoms: ['serialization'] },
  'to-pandas': {
    says: ['needless-calls', 'own-function'],
    text: /pandas' DataFrame|to_list, most of it called by to_frame/,
    symptoms: ['own-function'],
  },
  'read-all-branches': { says: ['unused-branches'], symptoms: ['own-function'] },
  'heavy-output': { says: ['heavy-output'], symptoms: ['reduction', 'outside-process'] },
  'large-processor': {
    says: ['large-processor'],
    symptoms: ['outside-process', 'serialization'],
  },
  'slow-section': { says: ['own-function', 'slow-cell'], symptoms: [] },
  trend: { says: ['longer-with-each'], symptoms: ['own-function'] },
  // The same work, in another place.
  'slow-dataset-cpu': { says: ['slow-cell', 'slow-dataset'], symptoms: ['own-function'] },
  'slow-worker': { says: ['slow-worker'], symptoms: [] },
  'straggler-chunk': { says: ['stragglers'], symptoms: [] },
  'slow-moment': { says: ['slow-moment', 'foreign-load'], symptoms: ['waiting', 'oversubscribed'] },
  // Input.
  'slow-file': { says: ['slow-file'], symptoms: ['stragglers', 'waiting', 'slow-opening'] },
  'slow-disk': {
    says: ['slow-worker'],
    text: /A request for input took/,
    symptoms: ['slow-worker', 'waiting'],
  },
  latency: {
    says: ['waiting'],
    text: /latency of requests/,
    symptoms: ['waiting', 'pre-processing', 'outside-process'],
    at: [],
  },
  'bandwidth-limited': { says: ['bandwidth-limited'], symptoms: ['waiting'] },
  'slow-host': { says: ['slow-host'], symptoms: ['slow-dataset', 'waiting', 'slow-opening'] },
  'slow-compression': { says: ['codec'], symptoms: ['slow-file', 'slow-dataset'] },
  'small-files': { says: ['small-files'], symptoms: ['pre-processing', 'outside-process'] },
  'slow-preprocessing': { says: ['pre-processing'], symptoms: ['start-up'] },
  'basket-rereads': { says: ['baskets-read-again'], symptoms: [] },
  'flaky-storage': {
    says: ['failed-tasks', 'failed-chunks'],
    symptoms: ['failed-tasks', 'failed-chunks'],
  },
  'bad-file': {
    says: ['lost-chunks', 'failed-chunks', 'failed-tasks'],
    symptoms: ['lost-chunks', 'failed-chunks', 'failed-tasks'],
  },
  'cold-cache': { says: [], symptoms: ['waiting', 'start-up'] },
  // Chunks.
  'chunks-too-small': {
    says: ['small-chunks'],
    symptoms: ['outside-process', 'baskets-read-again'],
  },
  'chunks-too-large': { says: ['large-chunks', 'tail'], symptoms: [] },
  'giant-file': { says: ['large-chunks'], symptoms: ['large-chunks', 'tail', 'stragglers'] },
  // The machine.
  'foreign-load': { says: ['foreign-load'], symptoms: ['waiting'] },
  oversubscribed: { says: ['oversubscribed'], symptoms: ['waiting'] },
  'blas-threads': {
    says: ['library-threads'],
    symptoms: ['oversubscribed', 'waiting', 'own-function'],
    at: [],
  },
  gil: { says: ['interpreter-lock'], symptoms: ['waiting'], at: [] },
  'lock-contention': { says: ['lock'], symptoms: ['waiting'] },
  'cpu-quota': { says: ['cpu-limit'], symptoms: ['waiting'] },
  'worker-clock-skew': { says: ['clock-skew'], symptoms: [] },
  'clock-drift': { says: ['clock-skew'], symptoms: [] },
  // The cluster.
  'blocked-scheduler': { says: ['blocked-scheduler'], symptoms: ['idle-unknown'] },
  'slow-client': { says: ['client-computes'], symptoms: ['idle-unknown'] },
  'memory-pressure': { says: ['memory-near-limit', 'spilling'], symptoms: [] },
  'late-workers': { says: ['late-workers'], symptoms: ['start-up'] },
  'lost-worker': { says: ['workers-lost', 'lost-work'], symptoms: [] },
  'retired-worker': { says: ['workers-lost', 'lost-work'], symptoms: [] },
  'tree-reduction': { says: ['reduction'], symptoms: ['tail', 'serialization', 'idle-unknown'] },
};

/** Causes that a lone run cannot tell: they are for `verdicts`. */
const needsAnother = ['slow-section', 'slow-dataset', 'chunk-size-change', 'scaling'];

/** Causes of which hardly anything is to be seen: silence is no miss. */
const weak = ['memory-pressure', 'slow-compression', 'cold-cache'];

/** Where several causes are in one run, what of the place is whose. */
const placeOf = {
  'slow-file': ['file', 'dataset'],
  'slow-worker': ['worker'],
  'slow-section': ['section'],
  'straggler-chunk': ['file'],
  'slow-dataset-cpu': ['dataset'],
  'setup-per-chunk': ['section'],
  'warm-up': ['section'],
  'late-workers': [],
  'slow-client': [],
  latency: [],
};

/**
 * What a truth says must not be claimed: findings that claim it, by their ids or by their text. What
 * only a comparison of two runs can claim is for `verdicts`.
 */
const claims = [
  [/slow worker|worker is slow|or worker|, worker/, ['slow-worker']],
  [/file/, ['slow-file']],
  [/dataset/, ['slow-dataset']],
  [/dataset's (computing|own)/, ['slow-cell']],
  [/host/, ['slow-host']],
  [
    /storage|waiting for input|reading input|input is slow/,
    ['slow-host', 'slow-site', 'bandwidth-limited', 'slow-file'],
    /waiting for input/,
  ],
  [/threads/, ['oversubscribed']],
  [/foreign load/, ['slow-moment', 'foreign-load']],
  [/the function/, ['slow-cell']],
  [/locks|interpreter lock/, ['lock', 'interpreter-lock']],
  [/lost work|lost workers|worker is lost/, ['lost-work', 'workers-lost', 'lost-chunks']],
  [/was killed/, [], /was killed/],
  [/clocks disagree/, ['clock-skew']],
  [/leak/, ['memory-grows']],
  [/memory/, ['memory-near-limit', 'spilling']],
  [/straggler/, ['stragglers']],
  [/a tail/, ['tail']],
  [/tail or idle/, ['tail', 'idle-unknown']],
  [
    /got slower|slower or faster|any difference|other (datasets|sections)|(dataset|section) only/,
    [],
  ],
  [/process\(\) is slow|computing is the limit/, []],
];

const isHealthy = (cause) => cause === 'none' || cause === 'scaling';

/** What the tables above do not know would not be scored. */
function checkTruth(name, { cause, must_not_be_claimed: never }) {
  const parts = isHealthy(cause) ? [] : cause.split(' + ');
  const unknown = parts.filter((one) => !kinds[one] && !needsAnother.includes(one));
  if (unknown.length > 0)
    throw new Failed(`${name}: kinds in tests/bench/causes.mjs has no ${unknown.join(', ')}`);
  const unplaced = parts.length > 1 ? parts.filter((one) => !placeOf[one]) : [];
  if (unplaced.length > 0)
    throw new Failed(`${name}: placeOf in tests/bench/causes.mjs has no ${unplaced.join(', ')}`);
  const unscored = never.filter((text) => !claims.some(([words]) => words.test(text)));
  if (unscored.length > 0)
    throw new Failed(`${name}: claims in tests/bench/causes.mjs has no ${unscored.join(', ')}`);
}

/** Every id in the tables above is one that the program declares. */
function checkIds(path) {
  const json = execFileSync(program, ['ask', path, 'rules', '--json'], { encoding: 'utf8' });
  const known = JSON.parse(json).columns.find(({ name }) => name === 'id').values;
  const used = [
    ...Object.values(kinds).flatMap(({ says, symptoms }) => [...says, ...symptoms]),
    ...claims.flatMap(([, ids]) => ids),
  ];
  const unknown = used.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Failed(`no rule has the id ${unknown.join(', ')}`);
}

function findingsOf(path, env) {
  const json = execFileSync(program, ['ask', path, 'findings', '--json'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  const { rows, columns } = JSON.parse(json);
  const column = Object.fromEntries(columns.map(({ name, values }) => [name, values]));
  return Array.from({ length: rows }, (_, row) => ({
    id: column.id[row],
    severity: column.severity[row],
    text: `${column.title[row]} ${column.evidence[row]} ${column.selection[row]}`,
    cost: column.core_seconds?.[row] ?? column.gain_core_seconds[row],
  }));
}

/** The share of the core-time of which nobody says why it was idle, or what it was. */
function withoutName(path) {
  const json = execFileSync(program, ['ask', path, 'core_time_tree', '--json'], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const { columns } = JSON.parse(json);
  const column = Object.fromEntries(columns.map(({ name, values }) => [name, values]));
  const share = (id) => column.share[column.id.indexOf(id)] ?? 0;
  return {
    idle: share('available/idle/Cause not recorded'),
    unsampled: share('available/outside_process/Not sampled'),
  };
}

/** Findings of a place or of the end of a run: a healthy run has none of these. */
const ofPlace =
  /^(slow-(file|worker|host|site|dataset|cell|moment|opening)|stragglers|tail|large-chunks|codec)$/;

/** Functions that recorded analyses define: scripts beside the bundles, and the laboratory's. */
function functionsOf(bundles) {
  const own = readdirSync(bundles).filter((name) => /^analysis.*\.py$/.test(name));
  const scripts = [
    ...own.map((name) => join(bundles, name)),
    ...['columnar', 'loop', 'habits'].map((name) => join(root, `lab/${name}.py`)),
  ];
  const names = scripts.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^\s*def (\w+)/gm)].map(([, definition]) => definition),
  );
  return names.filter((name) => name !== 'process' && !name.startsWith('__'));
}

/**
 * Every place of the cause is named; what the truth describes in words is no name. A function says
 * more than its section.
 */
const isThere = (finding, where, keys) =>
  keys.every((key) => {
    const name = where[key];
    const isNamed = (text) => text === undefined || /\s/.test(text) || finding.text.includes(text);
    return isNamed(name) || (key === 'section' && isNamed(where.function));
  });

const costs = (finding, expected) =>
  !expected ||
  (finding.cost !== null && finding.cost > expected / factor && finding.cost < expected * factor);

const names = ({ id, text }, { says, text: words }) =>
  says.includes(id) && (words?.test(text) ?? true);

/** The analysis's largest section is a symptom only of what is in that section. */
const isSymptom = (finding, { symptoms, at = ['section'] }, where) =>
  symptoms.includes(finding.id) &&
  (finding.id !== 'own-function' || at.length === 0 || isThere(finding, where, ['section']));

function judge(findings, cause, { where, expected }, keys) {
  const kind = kinds[cause];
  const at = findings.findIndex(
    (finding) => names(finding, kind) && isThere(finding, where, kind.at ?? keys),
  );
  if (at >= 0) return { at, word: costs(findings[at], expected) ? 'hit' : 'hit, cost wrong' };
  const partly = findings.some(
    (finding) => kind.says.includes(finding.id) || isSymptom(finding, kind, where),
  );
  return { at: -1, word: partly ? 'partly' : 'missed' };
}

/** Ids of findings that are untrue of the run, with what is: whatever their severity. */
function untrue(findings, truth, functions) {
  const all = truth.cause.split(' + ');
  const right = all.flatMap((cause) => kinds[cause]?.says ?? []);
  const forbidden = claims.filter(([words]) =>
    truth.must_not_be_claimed.some((text) => words.test(text)),
  );
  const isForbidden = (id, text) =>
    forbidden.some(([, ids, said]) => ids.includes(id) || said?.test(text));
  return findings.flatMap(({ id, severity, text }) => {
    // What the analysis spends its time in is no claim of a fault, but functions may be wrong.
    if (id === 'own-function') return [];
    if (truth.cause === 'none' && severity !== 'low') return [id];
    if (isHealthy(truth.cause) && ofPlace.test(id)) return [id];
    if (isForbidden(id, text) && !right.includes(id)) return [id];
    if (!right.includes(id)) return [];
    const keys = all.length > 1 ? [] : placeKeys;
    const isElsewhere = ofPlace.test(id) && !isThere({ text }, truth.where, keys);
    const isOther = (name) =>
      name !== truth.where.function && new RegExp(`\\b${name}\\b`).test(text);
    const wrong = truth.where.function ? functions.filter(isOther) : [];
    return [...(isElsewhere ? [`${id}: place`] : []), ...wrong.map((name) => `${id}: ${name}`)];
  });
}

/** What of the core-time is excess that no finding explains. */
function unknownShare(path) {
  const json = execFileSync(program, ['ask', path, 'excess', '--json'], { encoding: 'utf8' });
  return JSON.parse(json).notes.unknown_share ?? 0;
}

/** Judges what the program says of each recording, with a line for each, and counts. */
function judged(bundles, print, env, isWanted = () => true) {
  const scratch = mkdtempSync(join(tmpdir(), 'crema-causes-'));
  const count = {
    runs: 0,
    first: 0,
    strict: 0,
    place: 0,
    three: 0,
    hits: 0,
    costs: 0,
    pairs: 0,
    both: 0,
  };
  const healthy = { runs: 0, told: 0 };
  const nameless = [];
  const runs = [];
  const falsely = { runs: 0, of: 0 };
  const functions = functionsOf(bundles);
  try {
    for (const name of readdirSync(bundles).sort()) {
      let path = join(bundles, name);
      if (name.endsWith('.zip')) {
        execFileSync('unzip', ['-qo', path, '-d', scratch]);
        path = join(scratch, name.slice(0, -4));
      }
      if (!existsSync(join(path, 'truth.json'))) continue;
      if (falsely.of === 0) checkIds(path);
      const truth = JSON.parse(readFileSync(join(path, 'truth.json'), 'utf8'));
      checkTruth(name, truth);
      if (!isWanted(truth.cause)) continue;
      const findings = findingsOf(path, env);
      const isFault = !isHealthy(truth.cause);
      if (!env) nameless.push({ ...withoutName(path), isFault, unknown: unknownShare(path) });
      const wrong = untrue(findings, truth, functions);
      falsely.of += 1;
      if (wrong.length > 0) falsely.runs += 1;
      const words = [];
      const run = {
        cause: truth.cause,
        isScored: false,
        isRight: false,
        isUntrue: wrong.length > 0,
      };
      runs.push(run);
      if (!isFault) {
        healthy.runs += 1;
        healthy.told += wrong.length > 0 ? 1 : 0;
      } else if (!needsAnother.some((one) => truth.cause === one)) {
        const all = truth.cause.split(' + ');
        // What two causes cost together is no cost of either.
        const expected = all.length === 1 && truth.expected_extra_core_seconds;
        let found = 0;
        for (const cause of all) {
          const keys = all.length > 1 ? placeOf[cause] : placeKeys;
          const facts = { where: truth.where, expected };
          const { at, word } = judge(findings.slice(0, 3), cause, facts, keys);
          if (at < 0 && weak.includes(cause)) {
            words.push('weak, not seen');
            continue;
          }
          words.push(at >= 0 ? `${word} (${at + 1}.)` : word);
          found += at >= 0 ? 1 : 0;
          if (at >= 0 && expected) {
            count.hits += 1;
            if (word === 'hit') count.costs += 1;
          }
          if (all.length > 1) continue;
          count.runs += 1;
          if (at === 0) count.first += 1;
          run.isScored = true;
          run.isRight = at === 0 && wrong.length === 0;
          count.strict += run.isRight ? 1 : 0;
          const [largest] = findings;
          const isPart = largest && isSymptom(largest, kinds[cause], truth.where);
          if (wrong.length === 0 && (at === 0 || isPart)) count.place += 1;
          if (at >= 0) count.three += 1;
        }
        if (all.length > 1) count.pairs += 1;
        if (all.length > 1 && found === all.length) count.both += 1;
      }
      const first = findings.slice(0, 3).map(({ id, severity }) => `${id} (${severity})`);
      const said = words.join(', ') || '–';
      const lies = wrong.length > 0 ? `   FALSE: ${wrong.join(', ')}` : '';
      print(`${name.padEnd(26)}${said.padEnd(18)}${first.join(', ')}${lies}`);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return { count, healthy, falsely, nameless, runs };
}

/** The numbers that rules stand on: `constexpr double name = value;` of their files. */
function thresholds() {
  const folder = join(root, 'core/diagnose');
  const files = readdirSync(folder).filter((name) => /^(findings.*|anomal.*)\.cpp$/.test(name));
  return files.flatMap((name) => {
    const path = join(folder, name);
    const found = readFileSync(path, 'utf8').matchAll(/^constexpr double (\w+) = ([\d.]+);/gm);
    return [...found].map(([line, threshold, value]) => ({ path, line, threshold, value }));
  });
}

const variable = (threshold) => `CREMA_BENCH_${threshold}`;

/** Runs `use` with a program that is told the values of all thresholds by its environment. */
async function withThresholds(use) {
  const all = thresholds();
  const sources = new Map(all.map(({ path }) => [path, readFileSync(path, 'utf8')]));
  try {
    for (const [path, before] of sources) {
      let text = `#include <cstdlib>\n${before}`;
      for (const { line, threshold, value } of all.filter((one) => one.path === path)) {
        const told = `std::getenv("${variable(threshold)}")`;
        text = text.replace(
          line,
          `const double ${threshold} = ${told} ? std::strtod(${told}, nullptr) : ${value};`,
        );
      }
      writeFileSync(path, text);
    }
    await buildPreset('native', ['crema']);
  } finally {
    for (const [path, before] of sources) writeFileSync(path, before);
  }
  use(all);
  await buildPreset('native', ['crema']);
}

/** A row per threshold, halved and doubled: right causes first, and runs with an untrue claim. */
function sensitivity(bundles, all) {
  const numbers = (env) => {
    const { count, falsely } = judged(bundles, () => {}, env);
    return `${count.first}, ${falsely.runs}`;
  };
  console.log(`As they are: ${numbers({})}

| threshold | value | halved: first, false | doubled: first, false |
|---|--:|--:|--:|`);
  for (const { threshold, value } of all) {
    const rows = [0.5, 2].map((times) => numbers({ [variable(threshold)]: String(value * times) }));
    console.log(`| \`${threshold}\` | ${value} | ${rows.join(' | ')} |`);
  }
}

/** Thresholds that recordings chose, and no reason alone: those that change a score. */
const fitted = [
  'fixed_cost_dominates',
  'fixed_cost_matters',
  'worth_waiting',
  'least_of_one_core',
  'most_of_one_core',
  'shared_core',
  'most_of_waiting',
  'steady',
  'follows_bytes',
  'worth_unpacking',
];

/**
 * The score of each kind with thresholds that are fitted anew without its recordings: each threshold
 * takes of its half, itself and its double the one with the most right runs of the other kinds, where
 * an untrue run counts as much as ten right ones.
 */
function leaveOneKindOut(bundles, all) {
  const settings = fitted.flatMap((name) => {
    const { value } = all.find(({ threshold }) => threshold === name);
    return [0.5, 2].map((times) => ({ name, env: { [variable(name)]: String(value * times) } }));
  });
  const quiet = (env, isWanted) => judged(bundles, () => {}, env, isWanted).runs;
  const asTheyAre = quiet({});
  for (const setting of settings) setting.runs = quiet(setting.env);
  const score = (runs, kind) =>
    runs
      .filter(({ cause }) => cause !== kind)
      .reduce((sum, { isRight, isUntrue }) => sum + (isRight ? 1 : 0) - (isUntrue ? 10 : 0), 0);
  const counts = { right: [0, 0], untrue: [0, 0], of: 0 };
  for (const kind of new Set(asTheyAre.map(({ cause }) => cause))) {
    let env = {};
    for (const name of fitted) {
      let best = score(asTheyAre, kind);
      for (const setting of settings.filter((one) => one.name === name)) {
        if (score(setting.runs, kind) <= best) continue;
        best = score(setting.runs, kind);
        env = { ...env, ...setting.env };
      }
    }
    const before = asTheyAre.filter(({ cause }) => cause === kind);
    const after = Object.keys(env).length > 0 ? quiet(env, (cause) => cause === kind) : before;
    for (const [k, runs] of [before, after].entries()) {
      counts.right[k] += runs.filter(({ isRight }) => isRight).length;
      counts.untrue[k] += runs.filter(({ isUntrue }) => isUntrue).length;
    }
    counts.of += before.filter(({ isScored }) => isScored).length;
    if (Object.keys(env).length > 0) console.log(`${kind.padEnd(26)}${JSON.stringify(env)}`);
  }
  console.log(`
                                 fitted to all   without the kind
right cause first, nothing untrue  ${counts.right.join('   ')}   of ${counts.of}
runs with an untrue claim          ${counts.untrue.join('   ')}   of ${asTheyAre.length}`);
}

/** Prints a line per recording and the rates, or what thresholds matter; no figures of speed. */
export async function causes({
  bundles,
  thresholds: asksForThresholds,
  'leave-one-out': leavesOut,
}) {
  if (!bundles || !existsSync(bundles))
    throw new Failed('causes needs --bundles FOLDER: recordings with a truth.json each');
  if (asksForThresholds || leavesOut) {
    const measure = leavesOut ? leaveOneKindOut : sensitivity;
    await withThresholds((all) => measure(bundles, all));
    return [];
  }
  const { count, healthy, falsely, nameless } = judged(bundles, console.log);
  const rate = (part, all) => `${part} of ${all}`;
  const median = (name, of = nameless) => {
    const shares = of.map((one) => one[name]).sort((a, b) => a - b);
    return `${(100 * (shares[shares.length >> 1] ?? 0)).toFixed(1)} %`;
  };
  console.log(`\nright cause first            ${rate(count.first, count.runs)}`);
  console.log(`… in runs without an untruth ${rate(count.strict, count.runs)}`);
  console.log(`… or its symptom first       ${rate(count.place, count.runs)}`);
  console.log(`among the first three        ${rate(count.three, count.runs)}`);
  console.log(`cost within ${factor} of hits       ${rate(count.costs, count.hits)}`);
  console.log(`both of two causes           ${rate(count.both, count.pairs)}`);
  console.log(`runs with an untrue claim    ${rate(falsely.runs, falsely.of)}`);
  console.log(`healthy runs with a finding  ${rate(healthy.told, healthy.runs)}`);
  const faults = nameless.filter(({ isFault }) => isFault);
  console.log(`unknown excess, of faults    ${median('unknown', faults)} (median)`);
  console.log(`idle without a cause         ${median('idle')} (median)`);
  console.log(`outside, and in no sample    ${median('unsampled')} (median)`);
  return [];
}
