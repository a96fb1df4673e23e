import { recordShown } from '../state/dialogs';
import { Dialog } from '../ui/Dialog';
import { recordRun } from '../views/common/recording';
import { Snippet } from '../views/common/Snippet';

/** How a run is recorded: what to install, the lines to add to one's own analysis, and what then. */
export const RecordDialog = () => (
  <Dialog shown={recordShown} label="How to record a run" testId="record">
    <p>
      Install the Python package <span class="mono">cremascope</span> beside coffea, and wrap the
      run:
    </p>
    <Snippet code={recordRun} />
    <p>
      Then drop the folder <span class="mono">runs/zprime</span> here, or type{' '}
      <span class="mono">crema open runs/zprime</span>. What roastcoffea’s{' '}
      <span class="mono">MetricsCollector</span> saves opens as well.
    </p>
  </Dialog>
);
