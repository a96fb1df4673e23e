import { recordShown } from '../state/dialogs';
import { Dialog } from '../ui/Dialog';
import { recordRun } from '../views/common/recording';
import { Snippet } from '../views/common/Snippet';

/** How a bundle comes about: the lines to add to one's own analysis. */
export function RecordDialog() {
  return (
    <Dialog shown={recordShown} label="How to record a bundle" testId="record">
      <p>
        Decorate <span class="mono">process()</span>, and wrap the run in{' '}
        <span class="mono">crema.record</span> and roastcoffea’s{' '}
        <span class="mono">MetricsCollector</span>. The folder that they save is what Crema opens.
      </p>
      <Snippet code={recordRun} />
      <p>
        <span class="mono">crema</span> is the Python package of this page. It saves what Dask
        discards with its cluster: the profiles for the flame graph, the task stream, the workers.
        Without it, <span class="mono">collector.save_measurement("runs")</span> saves the rest.
      </p>
    </Dialog>
  );
}
