// Whether a study of many large runs fits: the core's memory with all of them open, and how long
// they take to compare.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createCrema from '../../build/wasm/crema.js';
import { root } from '../../scripts/run.mjs';
import { writeMetrics } from './generate.mjs';
import { openIn } from './open_bytes.mjs';

const runs = 20;
const shape = { workers: 300, ticks: 1500, chunks: 20000 }; // 25 minutes
const limit = 4096; // [MB], wasm/CMakeLists.txt

/** The figures: rows of { name, ours, peer, unit, peerName }. */
export async function manyRuns() {
  const folder = mkdtempSync(join(tmpdir(), 'crema-bench-'));
  try {
    const file = join(folder, 'metrics.json');
    await writeMetrics(file, shape);
    const bytes = readFileSync(file);
    const crema = await createCrema({
      wasmBinary: readFileSync(join(root, 'build/wasm/crema.wasm')),
    });
    const session = new crema.Session(0);
    for (let run = 0; run < runs; run += 1) openIn(session, bytes);
    // the input buffer lies in the core's own memory
    const heap = session.input().buffer.byteLength / 1e6;
    const ask = (question, of) => {
      const begin = performance.now();
      const answer = JSON.parse(session.ask(JSON.stringify({ question, ...(of && { runs: of }) })));
      if (answer.error) throw new Error(JSON.stringify(answer.error));
      session.release();
      return performance.now() - begin;
    };
    const what = `${runs} runs of ${shape.workers} workers (${(bytes.length / 1e6).toFixed(0)} MB each) together`;
    const scaling = ask('scaling');
    const comparing = ask('compare', [0, 1]);
    session.delete();
    return [
      {
        name: `${what}: memory of the core`,
        ours: heap,
        peer: limit,
        unit: 'MB',
        peerName: 'the limit of WebAssembly',
      },
      { name: `${what}: scaling, first asked`, ours: scaling, unit: 'ms' },
      { name: `${what}: compare of two, first asked`, ours: comparing, unit: 'ms' },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
