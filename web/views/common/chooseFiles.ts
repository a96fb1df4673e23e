import type { InputFile } from '../../engine/engine';

/** Files of a picker: a folder picker names each file's path from the folder on. */
export function pickedFiles(files: Iterable<File>): InputFile[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, data: file }));
}

/** Shows the browser's file or folder picker; `onChosen` hears of it when something was chosen. */
export function chooseFiles(
  what: 'files' | 'folder',
  onChosen: (files: InputFile[]) => void,
): void {
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
    if (files.length > 0) onChosen(files);
  });
  input.addEventListener('cancel', done);
  // Safari fires nothing for an input that is not in the document
  document.body.append(input);
  input.click();
}
