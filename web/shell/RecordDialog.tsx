import { signal } from '@preact/signals';
import { Dialog } from '../views/common/Dialog';
import { recordProfiles, recordRun } from '../views/common/recording';
import { Snippet } from '../views/common/Snippet';

export const recordShown = signal(false);

/** How a bundle comes about: the lines to add to one's own analysis. */
export function RecordDialog() {
  return (
    <Dialog shown={recordShown} label="How to record a bundle" testId="record">
      <p>
        Wrap the run in roastcoffea’s <span class="mono">MetricsCollector</span> and decorate{' '}
        <span class="mono">process()</span>. The folder that it saves is what Crema opens.
      </p>
      <Snippet code={recordRun} />
      <p>
        For flame graphs, save Dask’s profiles before the cluster closes, next to <span class="mono">metrics.json</span>
        :
      </p>
      <Snippet code={recordProfiles} />
    </Dialog>
  );
}
