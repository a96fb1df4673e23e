/** WebAssembly's memory only grows: what is closed must leave room for what is opened next. */
import { readFile } from 'node:fs/promises';
import createCrema from 'crema-core/crema.js';
import { expect, it } from 'vitest';
import { CoreEngine } from '../../web/engine/core';
import { bundle } from '../support/bundles';

const settled = 5;
const cycles = 50;

it(`grows no more after ${settled} of ${cycles} openings and closings, while another run stays open`, async () => {
  const wasmBinary = await readFile(new URL('../../build/wasm/crema.wasm', import.meta.url));
  const crema = await createCrema({ wasmBinary });
  const engine = new CoreEngine(crema);
  const lens = new crema.Session();
  await engine.open(await bundle('scale-1'));
  const files = await bundle('ab-before');
  const heaps: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const { runs } = await engine.open(files);
    for (const question of ['summary', 'quality', 'flame', 'timeline'] as const)
      await engine.ask(question, { runs });
    for (const run of runs) await engine.close(run);
    heaps.push(lens.input().buffer.byteLength);
  }
  expect(heaps.at(-1)).toBe(heaps[settled - 1]);
});
