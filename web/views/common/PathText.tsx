/** The end of a path says which file it is; the whole stands in the title. */
export function PathText({ path }: { path: string }) {
  return <span title={path}>{shortPath(path) || '–'}</span>;
}

/** The last folder and the file of a path that is deeper. */
export function shortPath(path: string): string {
  const parts = path.split('/');
  return parts.length > 3 ? `…/${parts.slice(-2).join('/')}` : path;
}
