import { type Enclosed, enclosedId, parseEnclosed } from '../engine/enclosed';

function read(): Enclosed | undefined {
  const element = typeof document === 'undefined' ? null : document.getElementById(enclosedId);
  return element ? parseEnclosed(element.textContent ?? '') : undefined;
}

/** The runs in this very page; undefined where it is no report. Read once. */
export const enclosed = read();
