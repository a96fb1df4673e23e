import type { InputFile } from '../engine/engine';

/** What a report carries: this page as one file, with runs inside (docs/reports.md). */
export interface Enclosed {
  /** where it begins, as a permalink */
  hash: string;
  files: InputFile[];
}

/** The element that holds it, as JSON. */
export const enclosedId = 'crema-report';

interface Written {
  version: 1;
  hash: string;
  /** `data` is in base64: the file itself, or the file packed with gzip */
  files: { path: string; data: string }[];
}

function isWritten(value: unknown): value is Written {
  if (typeof value !== 'object' || value === null) return false;
  const { version, hash, files } = value as Record<string, unknown>;
  const isFile = (file: unknown) =>
    typeof file === 'object' && file !== null && 'path' in file && 'data' in file && typeof file.data === 'string';
  return version === 1 && typeof hash === 'string' && Array.isArray(files) && files.every(isFile);
}

/** The runs in a report's JSON; undefined when it is none, or of a later version than this page. */
export function parseEnclosed(json: string): Enclosed | undefined {
  try {
    const written: unknown = JSON.parse(json);
    if (!isWritten(written)) return undefined;
    const files = written.files.map(({ path, data }) => ({ path: String(path), data: new Blob([bytesOf(data)]) }));
    return { hash: written.hash, files };
  } catch {
    return undefined;
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function read(): Enclosed | undefined {
  const element = typeof document === 'undefined' ? null : document.getElementById(enclosedId);
  return element ? parseEnclosed(element.textContent ?? '') : undefined;
}

/** Read once; undefined where the page is no report. */
export const enclosed = read();
