// Whether another commit is faster: both are built and measured in turn, processor time not the
// clock's, the other one twice, which tells what the machine makes of no change at all.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Failed, onPath, root, run } from '../../scripts/run.mjs';
import { writeMetrics } from './generate.mjs';
import { writeDaskTree } from './profiles.mjs';
import { compareRounds } from './ratios.mjs';

const rounds = 15;

/** The output of a program that must succeed. */
function outputOf(command, args, options = {}) {
  const { stdout, stderr, status, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  });
  if (status !== 0) throw new Failed(`${command} ${args[0]}: ${error?.message ?? stderr}`);
  return { stdout, stderr };
}

/** Processor time of a program [s], by the shell, which tells it of its children. */
function processorTime(command, args) {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1';
  const { stderr } = outputOf('bash', ['-c', script, 'bash', command, ...args]);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
}

/** Instructions of a program, where something counts them: the same in every round. */
function instructions(command, args) {
  const counted = spawnSync('perf', ['stat', '-x,', '-e', 'instructions:u', command, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const own = /^(\d+),.*instructions/m.exec(counted.stderr ?? '');
  if (own) return Number(own[1]);
  if (!onPath('valgrind')) return undefined;
  const tool = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];
  const { stderr } = outputOf('valgrind', [...tool, command, ...args]);
  return Number(/I\s+refs:\s+([\d,]+)/.exec(stderr)?.[1].replaceAll(',', ''));
}

/** Builds what is measured of `commit` in a checkout of its own, for `use`. */
async function withBuild(commit, use) {
  const folder = mkdtempSync(join(tmpdir(), 'crema-against-'));
  await run('git', ['worktree', 'add', '--detach', '--force', folder, commit], { collect: true });
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const build =
      "import('./scripts/native.mjs').then(async (m) => { await m.buildPreset('native', ['crema']); await m.buildPreset('wasm', ['crema_wasm']); })";
    await run(process.execPath, ['-e', build], { cwd: folder });
    return await use(folder);
  } finally {
    await run('git', ['worktree', 'remove', '--force', folder], { collect: true });
  }
}

/** Prints how this checkout, built, compares with `commit`. */
export async function against(commit) {
  const name = outputOf('git', ['log', '-1', '--format=%h %s', commit], { cwd: root }).stdout;
  console.log(`\nagainst ${name.trim()}`);
  await withBuild(commit, (other) => compareBuilds(other));
}

async function compareBuilds(other) {
  const folder = mkdtempSync(join(tmpdir(), 'crema-bench-'));
  try {
    const at = (file) => join(folder, file);
    const bundle = join(root, 'tests/data/local-4x1');
    await writeMetrics(at('metrics.json'), { workers: 100, ticks: 400, chunks: 10_000 });
    writeDaskTree(at('tree.json'), { nodes: 200_000 });
    const merged = gunzipSync(readFileSync(join(bundle, 'profile_merged.json.gz')));
    writeFileSync(at('profile.json'), merged);
    const inNode = fileURLToPath(new URL('open_in_node.mjs', import.meta.url));
    const native = (...args) => ({
      time: (build) => processorTime(join(build, 'build/native/crema'), args),
      count: (build) => instructions(join(build, 'build/native/crema'), args),
    });
    const wasm = (...args) => ({
      time: (build) =>
        Number(
          outputOf(process.execPath, [inNode, join(build, 'build/wasm'), ...args]).stdout.trim(),
        ),
    });
    const tasks = {
      'native: 33 MB of metrics.json, read': native('ask', at('metrics.json'), 'runs'),
      'native: 33 MB of metrics.json, summary': native('summary', at('metrics.json')),
      'native: 200,000 nodes of a profile, flame': native('ask', at('tree.json'), 'flame'),
      'native: local-4x1, summary': native('summary', bundle),
      'native: before and after, compared': native(
        'compare',
        join(root, 'tests/data/ab-before'),
        join(root, 'tests/data/ab-after'),
      ),
      'WebAssembly: 33 MB of metrics.json, read': wasm(at('metrics.json'), '5'),
      'WebAssembly: 33 MB of metrics.json, first views': wasm(
        at('metrics.json'),
        '5',
        'summary',
        'core_time_tree',
        'findings',
        'timeline',
      ),
      'WebAssembly: a profile of local-4x1, flame': wasm(at('profile.json'), '15', 'flame'),
    };
    const seen = Object.fromEntries(Object.keys(tasks).map((task) => [task, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [task, { time }] of Object.entries(tasks)) {
        // no order is preferred
        const order = ['before', 'now', 'again'].map((_, i, all) => all[(i + round) % 3]);
        const found = {};
        for (const which of order) found[which] = time(which === 'now' ? root : other);
        seen[task].push(found);
      }
      process.stdout.write(`\r  round ${round + 1} of ${rounds}; load ${loadavg()[0]}  `);
    }
    console.log('\n');
    report(tasks, seen, other);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(tasks, seen, other) {
  const shown = ({ ratio, low, high }) =>
    `${ratio.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  const line = (...cells) =>
    console.log(
      cells.map((cell, i) => (i === 0 ? cell.padEnd(50) : String(cell).padStart(24))).join(''),
    );
  line('processor time', 'now : before', 'before : itself', '');
  for (const [task, found] of Object.entries(seen)) {
    const { change, floor, moved } = compareRounds(found);
    line(task, shown(change), shown(floor), moved);
  }
  console.log();
  line('instructions', 'now : before', '', '');
  for (const [task, { count }] of Object.entries(tasks)) {
    const before = count?.(other);
    if (before === undefined) continue;
    const ratio = count(root) / before;
    line(task, ratio.toFixed(4), '', ratio > 1.005 ? 'more' : ratio < 0.995 ? 'fewer' : '');
  }
}
