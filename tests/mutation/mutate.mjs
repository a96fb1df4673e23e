// node tests/mutation/mutate.mjs [--count 200] [--seed 1] [--rooms runtime,compare,diagnose]: how many of that many random
// mutations of the core's judgements the tests notice. All mutations are compiled into one program (mutant.hpp), which
// runs once for each, with the test cases that execute it; what survives is listed with its line. Prints "N passed,
// N failed": caught and survived.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { compiler } from '../../scripts/native.mjs';
import { Failed, main, root, run } from '../../scripts/run.mjs';
import { randomOf } from '../bench/random.mjs';

const leastCaught = 0.85;
const notApplicable = 99;

/** Name, what it matches in a line of code, and what stands there instead; `n` is the mutation's number. */
const kinds = [
  ['< to <=', / < (?!<)/g, (n) => ` <crema::mutant::Boundary{${n}}> `],
  ['<= to <', / <= /g, (n) => ` <crema::mutant::AtMost{${n}}> `],
  ['+ to -', / \+ /g, (n) => ` +crema::mutant::Sign{${n}}+ `],
  ['max to min', /std::max\((?=[\w.]+, [\w.]+\))/g, (n) => `crema::mutant::most_or_least(${n}, `],
  [
    'if not',
    /\bif \((?!constexpr)(?=.*\) (?:return|continue|break))/g,
    (n) => `if (crema::mutant::is_active(${n}) != bool`,
  ],
  [
    'number doubled',
    /(?<=[ (])(?:0\.\d*[1-9]\d*|[1-9]\d*\.\d+|[2-9])(?=[;,) ])/g,
    (n, text) => `crema::mutant::either(${n}, ${text}, 2 * ${text})`,
  ],
];

/**
 * An order of two like things, as sorting wants it: `return a.begin < b.begin;`, also as one of two. It has to be false
 * of two that are equal, or sorting is undefined: its mutation is no other program.
 */
const isOrder = (line) =>
  Array.from(
    line.matchAll(/\breturn\b(?:.*[?:] )?\s*((?:[^?:;]|::)+) < ((?:[^:;]|::)+)(?:;| : )/g),
  ).some(([, left, right]) => {
    const words = (text) => text.match(/\w+|\W/g);
    const [ours, theirs] = [words(left), words(right)];
    if (ours.length !== theirs.length || ours.length === 1) return false;
    const other = ours.flatMap((word, i) =>
      word === theirs[i] ? [] : [[word, theirs[i]].toSorted().join(' ')],
    );
    return new Set(other).size === 1;
  });

/** The larger or the smaller of two, `x < 0 ? 0 : x`: of equal ones it is the same. */
const isLarger = (line) => /([\w.]+) <=? ([\w.]+) \? (?:\2 : \1|\1 : \2)\b/.test(line);

/** A sum that is only asked whether it is absent, `is_absent(a + b)`: where a part is, so is the difference. */
const isPresence = (line) => /\bis_absent\([^()]* \+ /.test(line.replace(/\([\w.]*\)/g, ''));

/**
 * Lines of code in which an operator is what it seems: no declarations, templates, texts or loops' heads. How much
 * memory is reserved is no judgement.
 */
const isPlain = (line) =>
  !isOrder(line) &&
  !/\breserve\(|^\s*(?:\/\/|\*|#|for \(|template|static_assert|case |namespace|using|struct|enum)|["']|constexpr|<<|>>|operator|<\w[^<>]*>|\bauto\b.*->|\[[\d ]+\]|array</.test(
    line.replace(/std::(?:size_t|vector<\w+>|string)|static_cast<[\w:]+>/g, ''),
  );

/** Where the parenthesis that opens at `from` closes; -1 where it does not in this line. */
function closing(line, from) {
  let depth = 0;
  for (let i = from; i < line.length; ++i) {
    if (line[i] === '(') ++depth;
    if (line[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

/** Every place of a text that a mutation fits. */
function placesIn(path, text) {
  return text.split('\n').flatMap((line, row) => {
    const code = line.replace(/\s*\/\/.*$/, '');
    if (!isPlain(code)) return [];
    return kinds.flatMap(([kind, pattern, replacement]) =>
      Array.from(code.matchAll(pattern))
        .filter(({ index }) => kind !== 'if not' || closing(code, index + 3) > 0)
        .filter(() => kind !== '+ to -' || !isPresence(code))
        .filter(() => !kind.startsWith('<') || !isLarger(code))
        .map(({ index, 0: found }) => ({ path, row, line, kind, index, found, replacement })),
    );
  });
}

/** The line of a place, mutated there. */
function mutatedLine({ line, index, found, kind, number, replacement }) {
  const instead = replacement(number, found);
  if (kind !== 'if not') return line.slice(0, index) + instead + line.slice(index + found.length);
  const end = closing(line, index + 3) + 1;
  return `${line.slice(0, index)}${instead}${line.slice(index + 3, end)})${line.slice(end)}`;
}

const sourcesOf = (room) =>
  readdirSync(join(root, 'core', room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => join('core', room, name));

/** A line bears one mutation alone: two on one could not be told apart by a reader of the result. */
function choose(all, count, seed) {
  const next = randomOf(seed);
  const order = all.map((place) => [next(), place]).toSorted(([a], [b]) => a - b);
  const taken = new Set();
  return order
    .map(([, place]) => place)
    .filter(({ path, row }) => !taken.has(`${path}:${row}`) && taken.add(`${path}:${row}`))
    .slice(0, count)
    .map((place, number) => ({ ...place, number }));
}

/** The lines that the compiler refuses, as `path:row`. */
function refused(output) {
  return new Set(
    Array.from(
      output.matchAll(
        /(core\/[\w/]+\.cpp):(\d+):\d+: (?:error|note: .*(?:non-'?constexpr'? function|'crema::mutant::))/g,
      ),
      ([, path, row]) => `${path}:${row - 1}`,
    ),
  );
}

function writeIfNew(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** Makes `tree` a copy of what is built; what is in it already keeps its time, and is not built anew. */
function copy(tree, isWanted) {
  const isThere = (from, to) => existsSync(to) && readFileSync(from).equals(readFileSync(to));
  for (const path of readdirSync(tree, { recursive: true, encoding: 'utf8' }))
    if (!existsSync(join(root, path))) rmSync(join(tree, path), { recursive: true, force: true });
  for (const name of [
    'CMakeLists.txt',
    'CMakePresets.json',
    'cmake',
    'core',
    'cli',
    'tests',
    'scripts',
  ])
    cpSync(join(root, name), join(tree, name), {
      recursive: true,
      filter: (from, to) =>
        statSync(from).isDirectory() || (isWanted(relative(root, from)) && !isThere(from, to)),
    });
}

/** Calls `work` with each item and its place, as many at once as there are processors. */
async function forEach(items, work) {
  const next = items.entries();
  const worker = async () => {
    for (const [i, item] of next) await work(item, i);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/** The program of all tests and all mutations. */
class Tests {
  #runs = 0;

  constructor(program, folder) {
    this.program = program;
    this.folder = folder;
  }

  async names() {
    const list = async (...options) =>
      (await run(this.program, ['~[slow]~[.]', ...options], { collect: true, tolerate: true }))
        .output;
    // Catch2 2 has an option for it and ends with their number, 3 has a verbosity.
    const old = await list('--list-test-names-only');
    const text = old.startsWith('Error') ? await list('--list-tests', '--verbosity', 'quiet') : old;
    return text.split('\n').filter((name) => name !== '');
  }

  /** The status of the test cases `names` with a mutation, or none. */
  async run(number, names, env = {}) {
    const list = join(this.folder, `cases-${this.#runs++}`);
    const escaped = names.map((name) => name.replace(/[\\",[\]]/g, '\\$&'));
    writeFileSync(list, escaped.map((name) => `"${name}"\n`).join(''));
    try {
      return await new Promise((resolve, reject) => {
        const child = spawn(this.program, ['--input-file', list, '--abort', '--warn', 'NoTests'], {
          cwd: root,
          env: { ...process.env, CREMA_MUTANT: String(number), ...env },
          stdio: 'ignore',
          // An endless loop is noticed, too.
          timeout: 120_000,
        });
        child.on('error', reject);
        child.on('close', (code) => resolve(code));
      });
    } finally {
      rmSync(list);
    }
  }

  /** The numbers of the mutations that a test case executes; none of one that does not pass alone. */
  async executed(name) {
    const trace = join(this.folder, `trace-${this.#runs}`);
    const status = await this.run(-1, [name], { CREMA_TRACE: trace });
    const numbers = existsSync(trace)
      ? readFileSync(trace, 'utf8').split('\n').filter(Boolean)
      : [];
    rmSync(trace, { force: true });
    if (status === 0) return numbers.map(Number);
    console.log(`left out  "${name}" does not pass alone`);
    return [];
  }
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      rooms: { type: 'string', default: 'runtime,compare,diagnose' },
    },
  });
  const wanted = Number(values.count);
  const folder = join(root, 'build/mutation');
  const tree = join(folder, 'tree');
  mkdirSync(tree, { recursive: true });

  const sources = values.rooms.split(',').flatMap(sourcesOf);
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const all = [...texts].flatMap(([path, text]) => placesIn(path, text));
  // some are refused by the compiler or mean nothing
  let chosen = choose(all, Math.ceil(1.3 * wanted), Number(values.seed));

  copy(tree, (path) => !texts.has(path));
  const write = () => {
    for (const [path, text] of texts) {
      const lines = text.split('\n');
      for (const place of chosen) if (place.path === path) lines[place.row] = mutatedLine(place);
      writeIfNew(join(tree, path), lines.join('\n'));
    }
  };
  const flags = `-O1 -w -include ${join(tree, 'tests/mutation/mutant.hpp')}`;
  const configure = [
    '-S',
    tree,
    '-B',
    join(folder, 'build'),
    '-G',
    'Ninja',
    '-DCREMA_PARTS=core;cli;tests',
  ];
  write();
  await run(
    'cmake',
    [...configure, '-DCMAKE_BUILD_TYPE=Mutated', `-DCMAKE_CXX_FLAGS_MUTATED=${flags}`],
    {
      collect: true,
      env: compiler(),
    },
  );
  for (let round = 0; ; ++round) {
    const { code, output } = await run(
      'ninja',
      ['-C', join(folder, 'build'), '-k', '0', 'crema_tests'],
      {
        collect: true,
        tolerate: true,
      },
    );
    if (code === 0) break;
    const bad = refused(output);
    if (bad.size === 0 || round === 8) throw new Failed(output.slice(-4000));
    chosen = chosen.filter(({ path, row }) => !bad.has(`${path}:${row}`));
    write();
  }

  const tests = new Tests(join(folder, 'build/tests/crema_tests'), folder);
  const names = await tests.names();
  if ((await tests.run(-1, names)) !== 0) throw new Failed('The tests fail without a mutation.');
  const executing = new Map(chosen.map(({ number }) => [number, []]));
  await forEach(names, async (name) => {
    for (const number of await tests.executed(name)) executing.get(number)?.push(name);
  });
  const counted = [];
  let left = wanted;
  await forEach(chosen, async (place) => {
    if (left === 0) return;
    left -= 1;
    const cases = executing.get(place.number);
    const status = cases.length > 0 ? await tests.run(place.number, cases) : 0;
    if (status === notApplicable) {
      left += 1;
      return;
    }
    counted.push(status);
    if (status === 0)
      console.log(
        `survived  ${place.path}:${place.row + 1}  ${place.kind}  (${cases.length} test cases)  ${place.line.trim()}`,
      );
  });
  const total = counted.length;
  const caught = counted.filter((status) => status !== 0).length;
  console.log(
    `\n${caught} of ${total} mutations were caught (${((100 * caught) / total).toFixed(1)} %; at least ${100 * leastCaught} % must be).`,
  );
  console.log(`${caught} passed, ${total - caught} failed`);
  if (caught < leastCaught * total) process.exitCode = 1;
});
