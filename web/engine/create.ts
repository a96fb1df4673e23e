/** The page's engine where it is hosted: worker and core are files beside the page. create.single.ts is its twin. */
import wasmUrl from 'crema-core/crema.wasm?url';
import { WorkerEngine } from './browser';
import type { Engine } from './engine';

export function createEngine(): Engine {
  return new WorkerEngine(
    () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
    () => new URL(wasmUrl, document.baseURI).href,
  );
}
