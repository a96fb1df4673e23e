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

/**
 * While `on`, files are over no element but the root (base.css). An element that left the page
 * beneath them would take their drop with it, unheard, and the browser would open them in a tab.
 */
const standAside = (on: boolean): void => {
  document.documentElement.classList.toggle('is-dragged-over', on);
};

/** Makes the whole window a drop target; true while files are dragged over it. */
export function useFileDrop(): boolean {
  const [over, setOver] = useState(false);
  useLayoutEffect(() => {
    let entered: EventTarget | null = null;
    const end = () => {
      entered = null;
      standAside(false);
      setOver(false);
    };
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      accept(event);
      entered = event.target;
      standAside(true);
      setOver(welcome());
    };
    const overFiles = (event: DragEvent) => {
      if (holdsFiles(event)) accept(event);
    };
    const leave = (event: DragEvent) => {
      // the next element is entered before the last one is left
      if (event.target === entered) end();
    };
    const drop = (event: DragEvent) => {
      end();
      if (!holdsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer && welcome()) void openDropped(takeDrop(event.dataTransfer));
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragover', overFiles, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    // a pointer moves by itself only when nothing is dragged any more
    window.addEventListener('pointermove', () => entered && end(), { signal });
    // what came before this code did (first.ts)
    const early = window.takeEarlyDrop?.();
    if (early) void openDropped(early);
    return () => listening.abort();
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
