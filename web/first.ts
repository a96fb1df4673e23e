/**
 * Runs inline, before all else of the page: files that are dropped before the page's script is there
 * are kept for it. Without this the browser would leave the page for them.
 */
import { type Dropped, holdsFiles, takeDrop } from './shell/takeDrop';

declare global {
  interface Window {
    /** Ends the keeping, and gives what was dropped until then. */
    takeEarlyDrop?: (() => Dropped | undefined) | undefined;
  }
}

const types = ['dragenter', 'dragover', 'drop'] as const;
let dropped: Dropped | undefined;

function keep(event: DragEvent): void {
  if (!event.dataTransfer || !holdsFiles(event)) return;
  event.preventDefault();
  if (event.type === 'drop') dropped = takeDrop(event.dataTransfer);
}

for (const type of types) window.addEventListener(type, keep);
window.takeEarlyDrop = () => {
  for (const type of types) window.removeEventListener(type, keep);
  window.takeEarlyDrop = undefined;
  return dropped;
};
