/** Reports: the page as one file, with runs inside (docs/embedding.md). */

import { bytesOfBase64 } from './base64';
import type { Bytes } from './engine';
import { type Piece, peek, type Store, storeOfBytes } from './pieces';

/** What a report carries. */
export interface Enclosed {
  /** where it begins, as a permalink */
  hash: string;
  sources: NamedSource[];
  files: EnclosedFile[];
}

export interface NamedSource {
  /** what stands before the paths of its files, for people */
  name: string;
  /** of files that were given one by one: they make one run wherever they lie */
  single?: boolean | undefined;
}

export interface EnclosedFile {
  path: string;
  /** files of two sources never make one run */
  source: number;
  /** the file itself, or the file packed with gzip */
  bytes: Piece;
}

/** The element that holds it, as JSON. */
export const enclosedId = 'crema-report';
const openingTag = `<script type="application/json" id="${enclosedId}">`;
const closingTag = '</script>';

interface Written {
  version: 1;
  hash: string;
  /** `parent`: the number of the source in which an archive was found, as a folder of that name */
  sources?: { name: string; parent?: number; single?: boolean }[];
  /** `data` is in base64 */
  files: { path: string; data: string; source?: number }[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function isWritten(value: unknown): value is Written {
  if (!isObject(value)) return false;
  const { version, hash, files, sources = [] } = value;
  const isFile = (file: unknown) =>
    isObject(file) &&
    typeof file.path === 'string' &&
    typeof file.data === 'string' &&
    (file.source === undefined || Number.isInteger(file.source));
  const isSource = (one: unknown, at: number) =>
    isObject(one) &&
    typeof one.name === 'string' &&
    (one.parent === undefined ||
      (Number.isInteger(one.parent) && Number(one.parent) >= 0 && Number(one.parent) < at));
  const areSources = Array.isArray(sources) && sources.every(isSource);
  return (
    version === 1 &&
    typeof hash === 'string' &&
    areSources &&
    Array.isArray(files) &&
    files.every(isFile)
  );
}

/** The runs in a report's JSON; undefined when it is none, or of a later version than this page. */
export function parseEnclosed(json: string): Enclosed | undefined {
  try {
    const written: unknown = JSON.parse(json);
    if (!isWritten(written)) return undefined;
    const sources = written.sources ?? [];
    const files = written.files.map(({ path, data, source = 0 }) => ({
      ...placeOf(sources, source, path),
      bytes: bytesOfBase64(data),
    }));
    return {
      hash: written.hash,
      sources: sources.map(({ name, single }) => ({ name, single })),
      files,
    };
  } catch {
    return undefined;
  }
}

/**
 * A file of an archive as one of the source that it was found in: the archive is a folder there.
 */
function placeOf(
  sources: NonNullable<Written['sources']>,
  source: number,
  path: string,
): { source: number; path: string } {
  const { name = '', parent } = sources[source] ?? {};
  if (parent === undefined) return { source, path };
  return placeOf(sources, parent, name ? `${name}/${path}` : path);
}

// The runs stand at the beginning of the page's body; before it are its styles.
const searched: Bytes = 2 ** 20;

export const mayBeReport = (head: Piece): boolean =>
  /^(\ufeff|ï»¿)?\s*</.test(latin1(head.subarray(0, 64)));

const latin1 = (bytes: Piece): string => new TextDecoder('latin1').decode(bytes);

export interface ReportRun extends NamedSource {
  files: { path: string; store: Store }[];
}

/** The runs in a page that is a report; of one that is none, its pieces again. */
export async function filesInReport(
  pieces: AsyncIterable<Piece>,
): Promise<{ runs: ReportRun[] } | { runs?: undefined; pieces: AsyncIterable<Piece> }> {
  const begun = await peek(pieces, searched);
  const begin = latin1(begun.head).indexOf(openingTag);
  if (begin < 0) return { pieces: begun.pieces };
  const json = await textOf(begun.pieces, begin + openingTag.length);
  const enclosed = parseEnclosed(json);
  if (!enclosed) throw new Error('it is a report of a later version, or damaged');
  const runs = new Map<number, ReportRun>();
  for (const { path, source, bytes } of enclosed.files) {
    const run = runs.get(source) ?? { name: '', ...enclosed.sources[source], files: [] };
    runs.set(source, run);
    run.files.push({ path, store: storeOfBytes(bytes) });
  }
  return { runs: [...runs.values()] };
}

/** From `begin` on to the end of the element. */
async function textOf(pieces: AsyncIterable<Piece>, begin: Bytes): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let skipped = 0;
  for await (const piece of pieces) {
    const skip = Math.min(begin - skipped, piece.length);
    skipped += skip;
    const part = decoder.decode(piece.subarray(skip), { stream: true });
    // the tag may be on the border of two pieces
    const last = (parts.at(-1) ?? '').slice(-closingTag.length);
    const end = (last + part).indexOf(closingTag);
    if (end >= 0) return (parts.join('') + part).slice(0, end - last.length - part.length);
    parts.push(part);
  }
  throw new Error('the report is cut off');
}
