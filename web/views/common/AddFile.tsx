import { addToRun } from '../../state/opening';
import { activeRun } from '../../state/runs';
import { Button } from '../../ui/Button';
import { chooseFiles } from './chooseFiles';

/** Opens files that were recorded of the shown run but not opened with it. */
export function AddFile() {
  const add = () => {
    const run = activeRun.value;
    if (run) chooseFiles('files', (files) => void addToRun(run, files));
  };
  return (
    <Button data-testid="add-file" onClick={add}>
      Add a file to this run…
    </Button>
  );
}
