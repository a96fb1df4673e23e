/**
 * The page's engine where it is hosted: worker and core are files beside the page. create.single.ts
 * is its twin.
 */
import wasmUrl from 'crema-core/crema.wasm?url';
import { keptUnlessFailed, WorkerEngine } from './browser';
import type { Engine } from './engine';

const address = () => new URL(wasmUrl, document.baseURI).href;

export function createEngine(): Engine {
  return new WorkerEngine(
    () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
    keptUnlessFailed(() => compiled(address())),
  );
}

/**
 * Compiled while it comes, which V8 remembers for the next visit; whole, where the server does not
 * say what it is.
 */
async function compiled(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: the server answers ${response.status}`);
  const isTold = response.headers.get('content-type')?.startsWith('application/wasm');
  return isTold
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
