import { recordShown } from '../state/dialogs';
import { Dialog } from '../ui/Dialog';
import { recordRun } from '../views/common/recording';
import { Snippet } from '../views/common/Snippet';

/** How a bundle comes about: the lines to add to one's own analysis. */
export const RecordDialog = () => (
  <Dialog shown={recordShown} label="How to record a bundle" testId="record">
    <p>
      Wrap the run in <span class="mono">crema.record</span>. Crema opens the folder that it saves,
      and those of roastcoffea’s <span class="mono">MetricsCollector</span>.
    </p>
    <Snippet code={recordRun} />
  </Dialog>
);
