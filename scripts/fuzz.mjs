// npm run fuzz -- SECONDS: libFuzzer on the readers (tests/fuzz), so long in all.
// npm run fuzz -- --runs COUNT TARGET...: so many inputs for each of these targets. What it learns
// stays in build/fuzz-corpus, an input that breaks something in build/fuzz-found.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { buildPreset } from './native.mjs';
import { Failed, main, root, run } from './run.mjs';
import { canFuzz, setUp } from './setup.mjs';

// and their shares of the time
const targets = {
  tokenizer: 2,
  python_tuple: 1,
  formats: 3,
  logs: 1,
  tool_profiles: 3,
  inflate: 1,
  unpack: 2,
};

export const fuzzPrograms = Object.keys(targets).map((target) => `fuzz_${target}`);

// Larger inputs make every mutation slow and teach nothing that smaller ones do not.
const largest = 65536;

// The first byte of a seed. The tokenizer's is a cut; the formats' chooses a name and how much is
// looked at first, 2 KiB; inflate's that the rest is to be packed.
const firstByte = { tokenizer: 0, formats: 7 * 8, inflate: 1 + 4 * 6 };

// The files of tests/data that are a target's seeds, where not all are.
const seedFolder = { tool_profiles: 'tools' };

/** Every small file of tests/data as a seed. */
function writeSeeds(target, folder) {
  mkdirSync(folder, { recursive: true });
  const own = join(root, 'tests/fuzz/seeds', target);
  for (const name of readdirSync(own))
    writeFileSync(join(folder, name), readFileSync(join(own, name)));
  if (!(target in firstByte) && !(target in seedFolder)) return;
  const data = join(root, 'tests/data', seedFolder[target] ?? '');
  for (const path of readdirSync(data, { recursive: true })) {
    const full = join(data, path);
    if (!statSync(full).isFile()) continue;
    const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(full)) : readFileSync(full);
    const first = Buffer.from(target in firstByte ? [firstByte[target]] : []);
    const seed = Buffer.concat([first, bytes.subarray(0, largest)]);
    writeFileSync(join(folder, path.replaceAll(/[\\/]/g, '-')), seed);
  }
}

/**
 * Fuzzes targets for so many seconds together, or each with so many inputs; the inputs tried, and
 * what was found.
 */
export async function fuzz(seconds, { inputs, chosen = Object.keys(targets) } = {}) {
  if (!canFuzz()) return undefined;
  await buildPreset(
    'fuzz',
    chosen.map((target) => `fuzz_${target}`),
  );
  const found = join(root, 'build/fuzz-found');
  mkdirSync(found, { recursive: true });
  const shares = Object.values(targets).reduce((sum, share) => sum + share, 0);
  const results = [];
  for (const target of chosen) {
    const share = targets[target];
    const corpus = join(root, 'build/fuzz-corpus', target);
    writeSeeds(target, corpus);
    const time = Math.max(1, Math.round((seconds * share) / shares));
    const options = [
      inputs ? `-runs=${inputs}` : `-max_total_time=${time}`,
      `-max_len=${largest}`,
      '-timeout=300',
      '-print_final_stats=1',
    ];
    const jobs = seconds > 60 && !inputs ? [`-fork=${cpus().length}`] : [];
    const dictionary = join(root, 'tests/fuzz', `${target}.dict`);
    if (existsSync(dictionary)) options.push(`-dict=${dictionary}`);
    const program = join(root, 'build/fuzz/tests/fuzz', `fuzz_${target}`);
    const { code, output } = await run(
      program,
      [...options, ...jobs, `-artifact_prefix=${found}/${target}-`, corpus],
      {
        collect: true,
        tolerate: true,
      },
    );
    const runs = Number(
      /number_of_executed_units: (\d+)/.exec(output)?.[1] ??
        /#(\d+):? .*\n[^#]*$/.exec(output)?.[1] ??
        0,
    );
    console.log(
      `${target}: ${runs} inputs${inputs ? '' : ` in ${time} s`}, ${code === 0 ? 'none broke anything' : 'one broke it'}`,
    );
    if (code !== 0) console.error(output.split('\n').slice(-60).join('\n'));
    results.push({ target, runs, well: code === 0 });
  }
  return results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      options: { runs: { type: 'string' } },
      allowPositionals: true,
    });
    const inputs = values.runs && Number(values.runs);
    const seconds = inputs ? 0 : Number(positionals[0] ?? 60);
    const chosen = inputs ? positionals : Object.keys(targets);
    if (!(inputs > 0 || seconds > 0) || !chosen.every((target) => target in targets))
      throw new Failed(
        `${basename(process.argv[1])} takes a number of seconds, or --runs COUNT and targets`,
      );
    await setUp(['fuzz']);
    const results = await fuzz(seconds, { inputs, chosen });
    if (!results)
      throw new Failed(
        'Fuzzing needs Clang with its runtime libraries (Debian: clang, libclang-rt-dev).',
      );
    const broken = results.filter((one) => !one.well).map((one) => one.target);
    if (broken.length > 0)
      throw new Failed(`Broken: ${broken.join(', ')}. The inputs are in build/fuzz-found.`);
    if (existsSync(join(root, 'build/fuzz-corpus')))
      console.log('The corpus is kept in build/fuzz-corpus.');
  });
}
