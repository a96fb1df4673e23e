import { useLayoutEffect, useState } from 'preact/hooks';
import { embedded } from '../state/embed';
import { beginCollecting, failOpening, openFiles } from '../state/opening';
import { openRuns } from '../state/runs';
import { filesOf } from './collectFiles';
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
