/**
 * The hosted page's service worker: keeps the page's own files in this browser, so that it opens
 * without a network. Whatever else a page asks for, runs above all, goes by it.
 *
 * The build writes it beside the page (offlineWorker of scripts/page-plugins.ts). A new release is
 * seen at once where there is a network; its worker follows when no page of the old one is open, so
 * that those still find their parts.
 */

/** The files to keep, relative to the page. */
declare const __FILES__: readonly string[];
/** Changes with any of them. */
declare const __VERSION__: string;

// What is used of a service worker's scope: its types and the page's exclude each other.
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Asked {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface WorkerScope {
  registration: { scope: string };
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Asked) => void): void;
}
const worker = globalThis as unknown as WorkerScope;

const page = worker.registration.scope;
/** Pages of one host share their caches. */
const ours = `crema ${page} `;
const current = ours + __VERSION__;
const kept = new Set(__FILES__.map((file) => new URL(file, page).href));

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(current).then((cache) => cache.addAll([page, ...kept])));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then((names) => {
      const old = names.filter((name) => name.startsWith(ours) && name !== current);
      return Promise.all(old.map((name) => caches.delete(name)));
    }),
  );
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = request.url.replace(/[?#].*/, '');
  if (request.method !== 'GET') return;
  if (kept.has(address)) event.respondWith(keptOr(address, () => fetch(request)));
  else if (address === page && request.mode === 'navigate')
    event.respondWith(fetch(request).catch(() => keptOr(page, () => fetch(request))));
});

async function keptOr(address: string, other: () => Promise<Response>): Promise<Response> {
  return (await caches.match(address, { cacheName: current })) ?? other();
}
