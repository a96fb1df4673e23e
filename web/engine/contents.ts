import { commonFolder } from './commonFolder';

/**
 * What a run was read from: for each file its path from the run's own folder on, its size and a
 * digest of all its bytes.
 *
 * By this the same run is known when it is opened again: every file of the new one is a file of one
 * that is open, with the same name and the same bytes, so that it could say nothing else. Neither
 * where a folder lies nor its files' dates count: browsers do not tell the one, and archives and
 * servers do not keep the other. A copy under another name is a run of its own, and so is one that
 * differs in a single byte.
 */
export type Contents = readonly string[];

export function contentsOf(
  files: readonly { path: string; size: number; digest: string }[],
): Contents {
  const above = commonFolder(files.map((file) => file.path)).replace(/[^/]*\/$/, '').length;
  return files.map(({ path, size, digest }) => `${digest} ${size} ${path.slice(above)}`);
}

/** Whether a run that was read from `contents` has nothing that one of `others` has not. */
export const isWithin = (contents: Contents, others: Contents): boolean =>
  contents.length > 0 && contents.every((one) => others.includes(one));
