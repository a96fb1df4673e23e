/** Opens URLs: a file, an archive, or a folder of which only the names are known that bundles have. */
import { type Bytes, CoreError, type InputFile } from './engine';
import { gather, type Piece, piecesOfStream } from './pieces';
import type { Source } from './sources';

/** A web server does not list a folder; these are the names that roastcoffea, Dask and the recording cells give. */
const companions = [
  'start_end_time.txt',
  'metadata.json',
  'config.json',
  'dask_profiles.json',
  'dask_profiles.json.gz',
  'profile_merged.json',
  'profile_by_key.json',
  'report.json',
  'scheduler_info.json',
  'span_metrics.json',
];

export interface Download {
  source: Source;
  size: Bytes;
}

/** Begins to fetch `urls`; throws CoreError naming the one that cannot be had. */
export async function download(urls: string[], signal?: AbortSignal): Promise<Download[]> {
  const fetched = urls.map((url) => (url.endsWith('/') ? folder(url, signal) : file(url, signal).then((one) => [one])));
  return (await Promise.all(fetched)).flat();
}

/** The same as files at hand: so that others can be opened together with them. */
export async function fetchFiles(urls: string[], signal?: AbortSignal): Promise<InputFile[]> {
  if (urls.length === 0) return [];
  const absolute = urls.map((url) => new URL(url, document.baseURI).href);
  const downloads = await download(absolute, signal);
  return Promise.all(
    downloads.map(async ({ source }) => {
      if ('store' in source) throw new CoreError(`${source.path}: is no download`);
      const { size, read } = await gather(source.pieces);
      return { path: source.path, data: new Blob([await read(0, size)]) };
    }),
  );
}

async function folder(url: string, signal?: AbortSignal): Promise<Download[]> {
  const tried = await Promise.allSettled(['metrics.json', ...companions].map((name) => file(url + name, signal)));
  const found = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [metrics] = tried;
  if (found.length === 0 && metrics?.status === 'rejected') throw metrics.reason;
  return found;
}

async function file(url: string, signal?: AbortSignal): Promise<Download> {
  let response: Response;
  try {
    response = await fetch(url, { signal: signal ?? null, credentials: 'omit' });
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') throw problem;
    throw new CoreError(
      `${url}: cannot be fetched (the server does not answer, or does not allow other pages to read it)`,
    );
  }
  if (!response.ok) throw new CoreError(`${url}: the server answers ${response.status} ${response.statusText}`.trim());
  // A server that sends its start page for every unknown address has no such file.
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    await response.body?.cancel();
    throw new CoreError(`${url}: the server sends a web page, not data`);
  }
  const size = Number(response.headers.get('content-length') ?? 0);
  const pieces = response.body ? piecesOfStream(response.body) : nothing();
  return { source: { path: pathOf(url), pieces }, size };
}

async function* nothing(): AsyncGenerator<Piece> {}

/** The file's name with the folder that it lies in, which names the run. */
function pathOf(url: string): string {
  const names = new URL(url).pathname.split('/').filter(Boolean);
  return names.slice(-2).map(decoded).join('/');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
