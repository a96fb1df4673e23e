import { openFiles } from '../state/opening';
import { chooseFiles } from '../views/common/chooseFiles';

/** Opens the browser's file or folder picker, then what was picked. */
export function pickFiles(what: 'files' | 'folder'): void {
  chooseFiles(what, (files) => void openFiles(files));
}
