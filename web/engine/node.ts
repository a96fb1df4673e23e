/** The engine in this process, for tests and measurements under Node. */
import { readFile } from 'node:fs/promises';
import createCrema from 'crema-core/crema.js';
import { CoreEngine } from './core';

const wasmFile = new URL('../../build/wasm/crema.wasm', import.meta.url);

export async function createNodeEngine(): Promise<CoreEngine> {
  return new CoreEngine(await createCrema({ wasmBinary: await readFile(wasmFile) }));
}
