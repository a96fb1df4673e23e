import { useLayoutEffect, useState } from 'preact/hooks';
import type { InputFile } from '../engine/engine';
import { embedded } from '../state/embed';
import { openFiles } from '../state/opening';
import { openRuns } from '../state/runs';
import { beginCollecting, failOpening } from '../state/underWay';
import { pickedFiles } from '../views/common/chooseFiles';
import { type Dropped, holdsFiles, takeDrop } from './takeDrop';

/** Within another page a drop is welcome only while there is nothing else to see. */
const welcome = (): boolean => !(embedded.peek() && openRuns.peek().length > 0);

/**
 * Without this the browser would leave the page for the file; anything else, as text for a field,
 * is the browser's. Both that it comes over an element and that it is over one are accepted: where
 * the page changes beneath the pointer the first may be all there is before the drop.
 */
function accept(event: DragEvent): void {
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = welcome() ? 'copy' : 'none';
}

/** Makes the whole window a drop target; true while files are dragged over it. */
export function useFileDrop(): boolean {
  const [over, setOver] = useState(false);
  useLayoutEffect(() => {
    // enter and leave come for every element that is passed
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      accept(event);
      depth += 1;
      setOver(welcome());
    };
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const overFiles = (event: DragEvent) => {
      if (holdsFiles(event)) accept(event);
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer && welcome()) void openDropped(takeDrop(event.dataTransfer));
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('dragover', overFiles);
    window.addEventListener('drop', drop);
    // what came before this code did (first.ts)
    const early = window.takeEarlyDrop?.();
    if (early) void openDropped(early);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('dragover', overFiles);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return over;
}

/** Opens what was dropped, unless something else is dropped while its folders are walked. */
export async function openDropped(dropped: Dropped): Promise<void> {
  const report = beginCollecting();
  try {
    const files = await filesOf(dropped, report);
    if (report(files.length)) await openFiles(files, () => filesOf(dropped, () => true));
  } catch (problem) {
    if (!report(0)) return;
    failOpening('The dropped files cannot be read', [
      problem instanceof Error ? problem.message : String(problem),
    ]);
  }
}

/**
 * Everything below the dropped things, each folder a source of its own: two may be called alike.
 * `onFound` hears the number of files so far; false from it ends the walk.
 */
async function filesOf(
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
