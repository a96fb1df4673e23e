/**
 * Copies of the page whose core breaks when a test wants it: in ways that no user knows, in every
 * engine.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Driver } from './driver';
import { dist, type Served, serve } from './serve';

const ways = {
  /** the core traps, as whoever calls it sees that */
  trap: `JSON.parse = () => { throw new WebAssembly.RuntimeError('unreachable'); }`,
  /** the worker stops while it reads */
  fall: `Blob.prototype.slice = () => { setTimeout(() => { throw new Error('lost its head'); }); return { arrayBuffer: () => new Promise(() => 0) }; }`,
  /** memory no longer grows */
  full: `const memory = WebAssembly.Memory.prototype; memory.grown = memory.grow; memory.grow = () => { throw new RangeError('no more'); }`,
  /** it grows again */
  roomy: `WebAssembly.Memory.prototype.grow = WebAssembly.Memory.prototype.grown`,
};

/** Before the worker's own code: hears what it is not meant to. */
const ear = `addEventListener('message', (event) => {
  const ways = { ${Object.entries(ways)
    .map(([way, code]) => `${way}() { ${code}; }`)
    .join(', ')} };
  if (!event.data.breakBy) return;
  event.stopImmediatePropagation();
  ways[event.data.breakBy]();
});`;

/** The hosted page; only its worker differs. */
export async function serveFragile(): Promise<Served> {
  const worker =
    (await readdir(join(dist, 'assets'))).find((name) => /^worker-.*\.js$/.test(name)) ?? '';
  const code = await readFile(join(dist, 'assets', worker), 'utf8');
  return serve({ folder: dist, pages: { [`/assets/${worker}`]: `${ear}\n${code}` } });
}

/**
 * The page in one file, in `folder`: its address. Without its policy, which knows the script by its
 * hash.
 */
export async function writeFragile(folder: string): Promise<string> {
  const html = await readFile(join(dist, 'crema.html'), 'utf8');
  const fragile = html
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '')
    .replace(
      /new Blob\(\[`[^`]*revokeObjectURL\(self\.location\.href\);`,/,
      (start) => `${start}${JSON.stringify(ear)},`,
    );
  if (!fragile.includes('breakBy')) throw new Error('the worker of crema.html begins differently');
  const path = join(folder, 'fragile.html');
  await writeFile(path, fragile);
  return pathToFileURL(path).href;
}

/** The core breaks just before the next thing that the page asks of it. */
export async function breakCore(driver: Driver, way: keyof typeof ways): Promise<void> {
  await driver.evaluate(`(() => {
    const own = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...message) {
      Worker.prototype.postMessage = own;
      this.postMessage({ breakBy: '${way}' });
      this.postMessage(...message);
    };
    return 0;
  })()`);
}
