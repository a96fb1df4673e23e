/** The engine of a hosted page: worker and core are files beside it. */
import { keptUnlessFailed, WorkerEngine } from './browser';
import type { Engine } from './engine';
import type { WasmSource } from './protocol';

/** Where a file that was built beside the page is. */
export const addressOf = (url: string): string => new URL(url, document.baseURI).href;

/** When the page is kept for a visit without a network: what is wanted first has come by then [ms]. */
const rest = 5000;

export function hostedEngine(core: () => Promise<WasmSource>): Engine {
  const engine = new WorkerEngine(
    () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
    keptUnlessFailed(core),
  );
  if (import.meta.env.PROD && window.parent === window)
    engine.ready().then(
      () => setTimeout(keepPage, rest),
      () => undefined,
    );
  return engine;
}

/** Has the browser keep the page's files (web/offline.ts), where it may. */
function keepPage(): void {
  navigator.serviceWorker?.register('./offline.js').catch(() => undefined);
}

/**
 * Compiled while it comes, which V8 remembers for the next visit; whole, where the server does not
 * say what it is.
 */
export async function compiled(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: the server answers ${response.status}`);
  const isTold = response.headers.get('content-type')?.startsWith('application/wasm');
  return isTold
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
