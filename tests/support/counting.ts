/** The core as a module that counts what it executes: the same on a quiet machine and a busy one. */
import { readFile } from 'node:fs/promises';
import createCrema, { type Crema } from 'crema-core/crema.js';
import { counting, countName } from '../../scripts/count-instructions.mjs';

export async function countingCore(): Promise<{ crema: Crema; executed: () => number }> {
  const module = await readFile(new URL('../../build/wasm/crema.wasm', import.meta.url));
  const counted = new WebAssembly.Module(counting(module));
  let exports: WebAssembly.Exports = {};
  const crema = await createCrema({
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(counted, imports);
      ({ exports } = instance);
      done(instance);
      return exports;
    },
  });
  const count = exports[countName] as WebAssembly.Global;
  return { crema, executed: () => Number(count.value) };
}
