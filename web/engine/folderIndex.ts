/**
 * The names in the index of a folder: of a JSON list, or of a page on which a server lists the
 * folder.
 */

const link = /<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;

/**
 * Names relative to the folder, those of folders with "/" at the end; [] when `text` is no index.
 */
export function namesInIndex(text: string): string[] {
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
