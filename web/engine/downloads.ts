/**
 * Opens URLs: a file, an archive, or a folder: by its index, else by the names that bundles have.
 */
import { companions } from './companions';
import { type Bytes, CoreError, type InputFile } from './engine';
import { gather, type Piece, piecesOfStream } from './pieces';
import { indexName, isPart, readIndex } from './recordedParts';
import type { Given } from './sources';

export interface Download {
  given: Given & { pieces: AsyncIterable<Piece> };
  size: Bytes;
}

/** Whether a file is looked at, whose path from the opened folder on is given. */
type Counts = (path: string) => boolean;

/** A Download, and the place of its URL among those that were asked for. */
export type Asked = Download & { from: number };

/**
 * Begins to fetch `urls`; throws CoreError with a sentence for each when none can be had, else
 * tells `missed` of those.
 */
export async function download(
  urls: string[],
  signal?: AbortSignal,
  missed: (url: string, sentence: string) => void = () => undefined,
  counts: Counts = () => true,
): Promise<Asked[]> {
  const tried = await Promise.allSettled(
    urls.map((url) =>
      url.endsWith('/') ? folder(url, counts, signal) : file(url, signal).then((one) => [one]),
    ),
  );
  signal?.throwIfAborted();
  const failures = tried.flatMap((one, index) =>
    one.status === 'rejected' ? [{ url: urls[index] ?? '', problem: one.reason as unknown }] : [],
  );
  for (const { problem } of failures) if (!(problem instanceof CoreError)) throw problem;
  const sentences = failures.map(({ problem }) => (problem as CoreError).message);
  if (failures.length > 0 && failures.length === urls.length)
    throw new CoreError(sentences.join('\n'));
  for (const [index, { url }] of failures.entries()) missed(url, sentences[index] ?? '');
  return tried.flatMap((one, from) =>
    one.status === 'fulfilled' ? one.value.map((download) => ({ ...download, from })) : [],
  );
}

/** The same as files at hand: so that others can be opened together with them. */
export async function fetchFiles(urls: string[], signal?: AbortSignal): Promise<InputFile[]> {
  if (urls.length === 0) return [];
  const absolute = urls.map((url) => new URL(url, document.baseURI).href);
  const downloads = await download(absolute, signal);
  return Promise.all(
    downloads.map(async ({ given }) => {
      const { size, read } = await gather(given.pieces);
      return { path: given.path, isAlone: given.isAlone, data: new Blob([await read(0, size)]) };
    }),
  );
}

// Nobody means to open more by one address.
const mostFiles = 5000;
/** Below the folder that is opened: a folder of runs, and what a run keeps apart. */
const maxDepth = 2;

/**
 * The files of a folder: of a recording that goes on those that its index names; else those that
 * its index.json names, or its server lists, or that are called as in bundles.
 */
async function folder(url: string, counts: Counts, signal?: AbortSignal): Promise<Download[]> {
  const index = readIndex(await textAt(url + indexName, signal));
  const listed = index?.isRunning ? [] : await listing(url, counts, signal);
  if (listed.length > mostFiles) throw new CoreError(`${url}: lists more than ${mostFiles} files`);
  const around = Math.max(0, namesIn(url).length - 1);
  const recorded = index ? [...index.parts, indexName] : [];
  const saved = index?.isRunning ? [] : ['metrics.json', ...companions];
  const names = [...saved, ...recorded].map((name) => url + name);
  const tried = await Promise.allSettled(
    (listed.length > 0 ? listed : names).map((one) => {
      const inFolder = { key: url, around };
      return isPart(one) ? later(one, inFolder, signal) : file(one, signal, inFolder);
    }),
  );
  signal?.throwIfAborted();
  const found = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = tried;
  if (found.length > 0 || first?.status !== 'rejected') return found;
  if (listed.length > 0) throw first.reason;
  const reason = first.reason instanceof CoreError ? first.reason.message : String(first.reason);
  throw new CoreError(
    `${reason}; the folder has no index.json, and its server does not list its files`,
  );
}

/** What lies in a folder and may belong to a bundle, as addresses; [] when nothing tells. */
async function listing(
  url: string,
  counts: Counts,
  signal?: AbortSignal,
  depth = 0,
): Promise<string[]> {
  const answers = await Promise.all([`${url}index.json`, url].map((one) => textAt(one, signal)));
  const [named = [], listed = []] = answers.map((text) => namesInIndex(text));
  const names = named.length > 0 ? named : listed;
  const inside = [...new Set(names.map((name) => addressOf(name, url)))].filter(
    (one) =>
      one.startsWith(url) &&
      one.length > url.length &&
      !/[?#]|\/index\.(json|html)$/.test(one) &&
      counts(decoded(one.slice(url.length))),
  );
  const files = inside.filter((one) =>
    named.length > 0 ? !/\/$|\.root$/i.test(one) : mayBelong.test(one),
  );
  if (depth === maxDepth) return files;
  const folders = inside.filter((one) => one.endsWith('/')).slice(0, mostFiles);
  return [
    ...files,
    ...(await Promise.all(folders.map((one) => listing(one, counts, signal, depth + 1)))).flat(),
  ];
}

function addressOf(name: string, folder: string): string {
  try {
    return new URL(name, folder).href;
  } catch {
    return '';
  }
}

// Of what a server lists: the data that was analysed lies beside runs, too, and is no business of
// this page. TaskVine's logs have no ending.
const mayBelong =
  /\.(json|txt|html|folded|zip|gz|csv|prof|pb|log|xml)$|\/(transactions|performance|debug|taskgraph)$/i;

async function textAt(url: string, signal?: AbortSignal): Promise<string> {
  // an index that is kept would be an old one
  const response = await fetch(url, { signal: signal ?? null, cache: 'no-store' }).catch(
    () => undefined,
  );
  signal?.throwIfAborted();
  return response?.ok ? response.text() : '';
}

interface Folder {
  key: string;
  around: number;
}

/**
 * `folder`: that which is opened, when it is not the file alone; so many of the folders `around` it
 * are not part of the path. What a server has in one folder belongs together.
 */
async function file(url: string, signal?: AbortSignal, folder?: Folder): Promise<Download> {
  const place = placeOf(url, folder);
  const { path } = place;
  let response: Response;
  try {
    // cookies go to the page's own server alone: it may want to know who asks (JupyterHub)
    response = await fetch(url, { signal: signal ?? null, credentials: 'same-origin' });
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') throw problem;
    throw new CoreError(`${url}: ${await whyUnreachable(url, signal)}`);
  }
  if (!response.ok)
    throw new CoreError(
      `${url}: the server answers ${response.status} ${response.statusText}`.trim(),
    );
  // A server that sends its start page for every unknown address has no such file; a saved page of
  // Dask is one.
  if (response.headers.get('content-type')?.startsWith('text/html') && !/\.html?$/i.test(path)) {
    await response.body?.cancel();
    throw new CoreError(`${url}: the server sends a web page, not data`);
  }
  const size = Number(response.headers.get('content-length') ?? 0);
  const pieces = response.body ? piecesOfStream(response.body) : nothing();
  return { given: { ...place, pieces }, size };
}

/** Where a file stands among what is opened. */
function placeOf(url: string, folder?: Folder): Omit<Download['given'], 'pieces'> {
  const { key, around } = folder ?? { key: new URL('.', url).href, around: -2 };
  const names = namesIn(url);
  const path = names.slice(around).join('/');
  const above = [new URL(url).host, ...names.slice(0, names.length - path.split('/').length)].join(
    '/',
  );
  return { path, key, above, isAlone: folder === undefined };
}

/** A file that is fetched when it is read: what is known of it already is not. */
function later(url: string, folder: Folder, signal?: AbortSignal): Download {
  async function* pieces(): AsyncGenerator<Piece> {
    const { given } = await file(url, signal, folder);
    yield* given.pieces;
  }
  return { given: { ...placeOf(url, folder), pieces: pieces() }, size: 0 };
}

/**
 * A browser does not say why a fetch failed. What can be found out: whether the server answers at
 * all when its answer is not to be read. If it does, it was the permission (CORS) that was missing.
 */
async function whyUnreachable(url: string, signal?: AbortSignal): Promise<string> {
  if (globalThis.navigator?.onLine === false) return 'cannot be fetched: this computer is offline';
  const { protocol, hostname } = new URL(url);
  const isNear = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (globalThis.location?.protocol === 'https:' && protocol === 'http:' && !isNear)
    return 'cannot be fetched: this page uses https, and browsers do not let such a page fetch by http';
  const probe = new AbortController();
  signal?.addEventListener('abort', () => probe.abort());
  try {
    await fetch(url, { mode: 'no-cors', credentials: 'omit', signal: probe.signal });
    return (
      'the server answers, but does not allow this page to read the answer (CORS): ' +
      'it has to send “Access-Control-Allow-Origin: *”; or download the file and open it here'
    );
  } catch {
    signal?.throwIfAborted();
    return 'cannot be fetched: there is no such server, it does not answer, or the browser or network blocks it';
  } finally {
    // its content is not wanted
    probe.abort();
  }
}

async function* nothing(): AsyncGenerator<Piece> {}

/** The names of the folders in an address, and of the file. */
const namesIn = (url: string): string[] =>
  new URL(url).pathname.split('/').filter(Boolean).map(decoded);

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * The names in the index of a folder: of a JSON list, or of a page on which a server lists the
 * folder.
 */

const link = /<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;

/**
 * Names relative to the folder, those of folders with "/" at the end; [] when `text` is no index.
 */
function namesInIndex(text: string): string[] {
  if (/^\s*[[{]/.test(text)) return namesInJson(text);
  return Array.from(text.matchAll(link), ([, double, single, bare]) =>
    (double ?? single ?? bare ?? '').replaceAll('&amp;', '&'),
  ).filter((name) => !/^(\.\.|\?|#)/.test(name));
}

/** `["metrics.json", …]`, `{"files": […]}`, or nginx's `[{"name": …, "type": "directory"}, …]`. */
function namesInJson(text: string): string[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return [];
  }
  const list = isObject(given) && !Array.isArray(given) ? given.files : given;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const name = isObject(entry) ? (entry.path ?? entry.name) : entry;
    if (typeof name !== 'string' || name === '') return [];
    const isFolder = isObject(entry) && entry.type === 'directory' && !name.endsWith('/');
    return [name.split('/').map(encodeURIComponent).join('/') + (isFolder ? '/' : '')];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
