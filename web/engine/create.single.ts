/**
 * The page's engine where everything is one file: worker and core are part of the page. The build
 * puts it for create.ts.
 */
import wasmAddress from 'crema-core/crema.wasm?inline';
import { WorkerEngine } from './browser';
import type { Engine } from './engine';
import InlineWorker from './worker.ts?worker&inline';

export function createEngine(): Engine {
  const base64 = wasmAddress.slice(wasmAddress.indexOf(',') + 1);
  return new WorkerEngine(
    () => new InlineWorker(),
    async () => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer,
  );
}
