// What the opening of a comparison says of pairs of recordings whose truth is known:
// `npm run bench -- pairs --bundles FOLDER`. FOLDER/truth.jsonl has a line a recording: name, cause
// ("none": healthy), analysis, where (function, section, file, dataset, worker, host), and
// compare_with, else it is compared with the first healthy one of its analysis. Printed is each pair
// with its sentence: healthy ones that name a part, and of those with one cause whether it is said
// (its place, or the setting or phase that it is), with another part, not at all, below what the
// sentence promises to see, or, where its size is not known, under a sentence that says that no
// change is certain. `--program PATH` judges another build.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ask, noteOf, partsOf, rowsOf } from './verdicts.mjs';

/** What an opening says of a cause that is no part of process(). */
const wordsOf = {
  'bad-file': /which B does not have|only one of the runs/,
  'bandwidth-limited': /input at .* instead of/,
  'big-pickle': /reduce tasks/,
  'basket-rereads': /chunks have another size|input at/,
  'blas-threads': /_NUM_THREADS|threads of libraries/,
  'chunk-size-change': /chunks have another size/,
  'chunks-too-large': /chunks have another size/,
  'chunks-too-small': /chunks have another size/,
  'cold-cache': /[Ww]aited for input/,
  'cpu-quota': /usable CPUs|waited for a CPU/,
  'flaky-storage': /repeated work/,
  'foreign-load': /waited for a CPU|other programs/,
  'giant-file': /chunks have another size/,
  'giant-last': /chunks have another size/,
  gil: /threads per worker/,
  'heavy-merge': /reduce tasks|outside process\(\)/,
  'heavy-output': /reduce tasks|outside process\(\)/,
  'key-error': /repeated work/,
  'large-processor': /outside process\(\)/,
  'late-workers': /start-up|cores instead of/,
  latency: /input at .* instead of/,
  'lost-worker': /repeated work|cores instead of/,
  'memory-pressure': /memory limit/,
  'nanny-restart-2': /cores instead of/,
  oversubscribed: /cores? instead of|threads that slow each other down/,
  'retired-worker': /cores instead of/,
  'slow-client': /after the last chunk|idle cores/,
  'slow-preprocessing': /automatic_retries tasks|outside process\(\)/,
  'slow-moment': /other programs|waited for a CPU/,
  'small-files': /automatic_retries tasks|outside process\(\)|chunks have another size/,
  'tree-reduction': /reduce tasks|after the last chunk/,
};

/** Nothing takes longer by them. */
const costless = /clock|healthy/;

const places = ['function', 'section', 'file', 'dataset', 'worker', 'host'];

const matches = (text, pattern) =>
  pattern.includes('*')
    ? new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(text)
    : text === pattern;

/** The files of each dataset. */
function filesOfDatasets(path, program) {
  const files = new Map();
  for (const { dataset, file } of rowsOf(ask('chunks', path, undefined, program)))
    files.set(dataset, (files.get(dataset) ?? new Set()).add(file));
  return files;
}

/** Whether a part of a verdict is where the cause is; a dataset of one file is that file. */
function isPlace(row, where, filesOf) {
  const label = String(row.label ?? '');
  return places.some((key) =>
    String(where[key] ?? '')
      .split(/ and |, /)
      .filter(Boolean)
      .some((place) => {
        if (key === 'function') return row.kind === 'own function' && label.includes(place);
        if (key === 'worker') return label.endsWith(`worker ${place}`);
        if (key === 'file') {
          const ofDataset = filesOf.get(row.dataset);
          const file = ofDataset?.size === 1 ? [...ofDataset][0] : row.file;
          return matches(basename(String(file ?? '').split(', ')[0]), place);
        }
        return row[key] === place || label.includes(place);
      }),
  );
}

/** Those of a folder, with the run that each is held against. */
function recordingsIn(folder) {
  const truths = readFileSync(join(folder, 'truth.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const pathOf = (name) => {
    const paths = [join(folder, name), join(folder, `${name}.zip`)];
    return paths.find((path) => existsSync(path));
  };
  const isHealthy = ({ cause, where = {} }) =>
    cause.startsWith('none') && Object.keys(where).length === 0;
  return truths
    .map((truth) => {
      const usual = truths.find((one) => isHealthy(one) && one.analysis === truth.analysis);
      const before = truth.compare_with ?? usual?.name;
      return {
        truth,
        healthy: isHealthy(truth),
        path: pathOf(truth.name),
        before:
          before && before !== truth.name ? { name: before, path: pathOf(before) } : undefined,
      };
    })
    .filter(({ path }) => path !== undefined);
}

/** What of the change is below what the opening promises to see. */
function isBelowPromise(verdict, answer, { where, expected_extra_core_seconds: extra }) {
  if (!(extra > 0)) return false;
  const rows = rowsOf(answer('compare'));
  return ['section', 'dataset'].some((kind) => {
    const row = rows.find((one) => where[kind] && one.id === `${kind}.${where[kind]}`);
    return row?.a > 0 && extra / row.a < noteOf(verdict, `${kind}_would_show`);
  });
}

const count = (part, of) =>
  of === 0 ? '–' : `${part} of ${of} (${((100 * part) / of).toFixed(1)} %)`;

/** Prints the pairs and the table; returns no figures of speed. */
export function pairs({ bundles: folder, program }) {
  const recordings = recordingsIn(folder);
  const named = (verdict) => partsOf(verdict).filter(({ kind }) => kind !== 'beside process()');
  const isMoment = (verdict) => / or in the moment it ran in/.test(noteOf(verdict, 'limits'));
  const show = (kind, a, b, verdict) =>
    console.log(`  ${kind.padEnd(8)} ${a} → ${b}: ${noteOf(verdict, 'sentence')}`);

  let healthy = 0;
  let claims = 0;
  let moments = 0;
  for (const a of recordings.filter((one) => one.healthy)) {
    for (const b of recordings.filter((one) => one.healthy)) {
      if (a === b || a.truth.analysis !== b.truth.analysis) continue;
      healthy += 1;
      const verdict = ask('verdict', a.path, b.path, program);
      moments += isMoment(verdict) ? 1 : 0;
      if (named(verdict).length === 0) continue;
      claims += 1;
      show('healthy', a.truth.name, b.truth.name, verdict);
    }
  }

  const counts = { right: 0, partly: 0, wrong: 0, below: 0, unsure: 0, nothing: 0 };
  const inParts = { right: 0, partly: 0, wrong: 0, nothing: 0 };
  for (const { truth, healthy: isHealthy, path, before } of recordings) {
    const { cause, where = {} } = truth;
    if (isHealthy || /^none|^scaling| \+ /.test(cause) || !before?.path) continue;
    const verdict = ask('verdict', before.path, path, program);
    const parts = named(verdict);
    const filesOf = where.file ? filesOfDatasets(path, program) : new Map();
    const right = parts.filter((row) => isPlace(row, where, filesOf));
    // a function that does the work is no other part beside its caller, nor what it takes as long in
    const isSame = (row) =>
      right.some(
        (one) => one.kind === 'own function' && Math.abs(row.seconds / one.seconds - 1) < 0.25,
      );
    const others = parts.filter(
      (row) => !right.includes(row) && row.kind !== 'own function' && !isSame(row),
    );
    const said =
      (wordsOf[cause] ?? wordsOf[truth.name])?.test(noteOf(verdict, 'sentence')) ?? false;
    const inPart =
      parts.length === 0
        ? 'nothing'
        : right.length === 0
          ? 'wrong'
          : others.length === 0
            ? 'right'
            : 'partly';
    if (places.some((key) => where[key])) inParts[inPart] += 1;
    const answer = (question) => ask(question, before.path, path, program);
    const silent = costless.test(cause)
      ? 'right'
      : isBelowPromise(verdict, answer, truth)
        ? 'below'
        : /^(No certain|No) change/.test(noteOf(verdict, 'sentence'))
          ? 'unsure'
          : 'nothing';
    const kind =
      inPart === 'right' || (said && others.length === 0)
        ? 'right'
        : inPart === 'partly' || said
          ? 'partly'
          : inPart === 'wrong'
            ? 'wrong'
            : silent;
    counts[kind] += 1;
    show(kind, before.name, truth.name, verdict);
  }
  const say = (what, measured) => console.log(`${what.padEnd(64)} ${measured}`);
  say('healthy, in either order: openings that name a part', count(claims, healthy));
  say('… that name a part or the moment it ran in', count(moments, healthy));
  const table = (title, all) => {
    const sum = Object.values(all).reduce((x, y) => x + y, 0);
    for (const [kind, found] of Object.entries(all)) say(`${title}: ${kind}`, count(found, sum));
  };
  table('one cause', counts);
  table('one cause in a part: the part', inParts);
  return [];
}
