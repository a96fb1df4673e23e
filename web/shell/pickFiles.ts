import { openFiles } from '../state/opening';
import { pickedFiles } from './collectFiles';

/** Opens the browser's file or folder picker, then what was picked. */
export function pickFiles(what: 'files' | 'folder'): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = what === 'folder';
  input.dataset.testid = `pick-${what}`;
  input.hidden = true;
  const done = () => input.remove();
  input.addEventListener('change', () => {
    const files = pickedFiles(input.files ?? []);
    done();
    if (files.length > 0) void openFiles(files);
  });
  input.addEventListener('cancel', done);
  // Safari fires nothing for an input that is not in the document
  document.body.append(input);
  input.click();
}
