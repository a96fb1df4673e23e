/** The end of a path says which file it is; the whole stands in the title. */
export function PathText({ path }: { path: string }) {
  const parts = path.split('/');
  return <span title={path}>{parts.length > 3 ? `…/${parts.slice(-2).join('/')}` : path || '–'}</span>;
}
