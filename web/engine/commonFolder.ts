/**
 * The folder that all `paths` lie in, with its last '/'; '' when there is none. It says nothing
 * about each of them.
 */
export function commonFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  for (const path of rest) {
    while (!path.startsWith(folder))
      folder = folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1);
  }
  return folder;
}
