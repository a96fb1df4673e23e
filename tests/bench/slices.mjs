// A large metrics.json, read by a thread for each core, against one alone: by the command line, from
// its beginning to the answer.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { writeMetrics } from './generate.mjs';
import { median } from './numbers.mjs';
import { ratioOf } from './ratios.mjs';

const crema = join(root, 'build/native/crema');

function timed(command, args) {
  const start = performance.now();
  execFileSync(command, args, { stdio: 'ignore' });
  return performance.now() - start;
}

/** The figures of this bench: rows of { name, ours, peer, unit, peerName }. */
export async function slices({ rounds = '15' }) {
  if (process.platform !== 'linux') return [];
  const folder = mkdtempSync(join(tmpdir(), 'crema-bench-'));
  try {
    const file = join(folder, 'metrics.json');
    const size = (await writeMetrics(file, { workers: 1000, ticks: 1000, chunks: 20000 })) / 1e6;
    return [
      ['ask', file, 'runs'],
      ['summary', file],
    ].map((args) => {
      const found = Array.from({ length: Number(rounds) }, () => ({
        all: timed(crema, args),
        alone: timed('taskset', ['-c', '0', crema, ...args]),
      }));
      const name = `crema ${args[0]}, ${size.toFixed(0)} MB, ${availableParallelism()} threads`;
      const { ratio, low, high } = ratioOf(found.map(({ all, alone }) => alone / all));
      console.log(`${name}: ${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`);
      const ours = median(found.map((one) => one.all));
      const peer = median(found.map((one) => one.alone));
      return { name, ours, peer, unit: 'ms', peerName: 'one thread' };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
