import type { InputFile } from '../engine/engine';
import { pickedFiles } from '../views/common/chooseFiles';
import type { Dropped } from './takeDrop';

/**
 * Everything below the dropped things, each folder a source of its own: two may be called alike.
 * `onFound` hears the number of files so far; false from it ends the walk.
 */
export async function filesOf(
  { handles, entries, files }: Dropped,
  onFound: (files: number) => boolean,
): Promise<InputFile[]> {
  if (handles.length > 0 && handles.every((handle) => handle !== undefined)) {
    return filesOfHandles(await Promise.all(handles), onFound);
  }
  const known = entries.filter((entry) => entry !== null);
  // some embedded browsers have no entries: their files can still be read
  if (known.length === 0) return pickedFiles(files);
  const found: InputFile[] = [];
  const waiting = known.map((entry, index) => ({
    entry,
    source: entry.isDirectory ? index : undefined,
  }));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { entry, source } = next;
    if (isFileEntry(entry)) {
      const file = await fileOf(entry);
      found.push({ path: entry.fullPath.replace(/^\//, ''), data: file, source });
      if (!onFound(found.length)) return [];
    } else if (isDirectoryEntry(entry)) {
      waiting.unshift(...(await entriesOf(entry)).map((inside) => ({ entry: inside, source })));
    }
  }
  return found;
}

async function filesOfHandles(
  dropped: (FileSystemHandle | null)[],
  onFound: (files: number) => boolean,
): Promise<InputFile[]> {
  const found: InputFile[] = [];
  const sourceOf = (handle: FileSystemHandle | null, index: number) =>
    handle?.kind === 'directory' ? index : undefined;
  const waiting = dropped.map((handle, index) => ({
    folder: '',
    handle,
    source: sourceOf(handle, index),
  }));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { folder, handle, source } = next;
    if (handle instanceof FileSystemFileHandle) {
      found.push({ path: folder + handle.name, data: await handle.getFile(), source });
      if (!onFound(found.length)) return [];
    } else if (handle instanceof FileSystemDirectoryHandle) {
      const inside: FileSystemHandle[] = [];
      for await (const child of handle.values()) inside.push(child);
      inside.sort((a, b) => (a.name < b.name ? -1 : 1));
      waiting.unshift(
        ...inside.map((child) => ({ folder: `${folder}${handle.name}/`, handle: child, source })),
      );
    }
  }
  return found;
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectoryEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry =>
  entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A reader hands out a folder in batches (100 in Chromium) and ends with an empty one. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const result: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return result.sort((a, b) => (a.name < b.name ? -1 : 1));
    result.push(...batch);
  }
}
