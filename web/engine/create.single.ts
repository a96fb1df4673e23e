/**
 * The page's engine where everything is one file: worker and core are part of the page. The build
 * puts it for create.ts.
 */
import { bytesOfBase64 } from './base64';
import { keptUnlessFailed, WorkerEngine } from './browser';
import type { Engine } from './engine';
import { gunzipped } from './pieces';
import InlineWorker from './worker.ts?worker&inline';

export const createEngine = (): Engine =>
  new WorkerEngine(() => new InlineWorker(), keptUnlessFailed(compiled));

/**
 * Compiled while it is unpacked. The element that holds it (scripts/page-plugins.ts) is packed with
 * gzip, in base64.
 */
async function compiled(): Promise<WebAssembly.Module> {
  const packed = bytesOfBase64(document.getElementById('crema-core')?.textContent ?? '');
  const headers = { 'content-type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(gunzipped(packed), { headers }));
}
