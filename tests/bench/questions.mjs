// How long questions take at scale: natively against the limit, in WebAssembly against native in
// the same run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

const limit = 100; // [ms]
// A first call may build what later ones use; merging all call trees anew has a limit of its own.
const limitOfMerging = 1000; // [ms]
const merging = (question) => ['profiles', 'stacks'].includes(question);
// Shorter than this, the clock and the call weigh more than the answer.
const shortest = 1;

function answers(command, args) {
  const { stdout, status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The figures: rows of { name, ours, peer, unit, peerName }. */
export async function questions() {
  const native = answers(join(root, 'build/native/tests/bench/crema_bench_questions'), []);
  const wasm = answers(process.execPath, [
    join(root, 'build/wasm/tests/bench/crema_bench_questions.cjs'),
  ]);
  const figures = [];
  for (const one of native) {
    const name = `${one.case}: ${one.question}, native`;
    figures.push({ name, ours: one.again, peer: limit, unit: 'ms', peerName: 'the limit' });
    if (merging(one.question))
      figures.push({
        name: `${name}, first`,
        ours: one.first,
        peer: limitOfMerging,
        unit: 'ms',
        peerName: 'the limit',
      });
  }
  for (const [index, one] of wasm.entries()) {
    if (native[index].again < shortest) continue;
    figures.push({
      name: `${one.case}: ${one.question}, WebAssembly`,
      ours: one.again,
      peer: native[index].again,
      unit: 'ms',
      peerName: `native, in the same run (Node ${process.version})`,
    });
  }
  return figures;
}
