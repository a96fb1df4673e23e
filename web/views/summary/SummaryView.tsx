import '../../styles/core-time.css';
import { rowsOf } from '../../engine/table';
import { useAnswer } from '../../state/answers';
import { coreTimePart } from '../../state/coreTime';
import { embedded } from '../../state/embed';
import { currentFinding, isFact } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { later } from '../../ui/later';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { AllNumbers } from './AllNumbers';
import { CoreTimePanel } from './CoreTimePanel';
import { FindingsPanel } from './FindingsPanel';
import { LookCloser } from './LookCloser';
import { OverTimePanel } from './OverTimePanel';
import { ProgressPanel } from './ProgressPanel';
import { RunVerdict } from './RunVerdict';
import { Tiles } from './Tiles';
import { WhatIfHere } from './WhatIfHere';

const PartPanel = later(async () => (await import('./PartPanel')).PartPanel);

const FindingPage = later(async () => (await import('./FindingPage')).FindingPage);

/** Where did the core-time go, and what should I fix? */
export function SummaryView() {
  const run = activeRunId.value;
  const summary = useAnswer(run, 'summary', selection.value);
  const empty = useEmptyFilter();
  const facts = rowsOf(summary.table);
  if (facts.length > 0 && !isFiltered.value && !facts.some((fact) => Number.isFinite(fact.value))) {
    return (
      <section class="panel" data-testid="view-summary">
        <Absent
          centered
          title="No metrics in this bundle"
          reason="A summary needs roastcoffea’s metrics.json, Dask’s span metrics or a coffea report. Add them to this run. What this bundle does hold is in the other views."
          addable
        />
      </section>
    );
  }
  const now = currentFinding.value;
  if (now && now.run === run && !isFact(now.finding)) return <FindingPage finding={now.finding} />;
  const selected = coreTimePart.value !== '' && !embedded.value;
  return (
    <div class="stack summary" data-testid="view-summary">
      {empty ? <EmptyFilter /> : null}
      <RunVerdict />
      <ProgressPanel />
      <Tiles answer={summary} />
      {embedded.value ? null : <LookCloser />}
      <div class={selected ? 'core-time-grid' : undefined}>
        <CoreTimePanel />
        {selected ? <PartPanel /> : null}
      </div>
      <FindingsPanel />
      <div class="grid">
        <div class={embedded.value ? 'span-12' : 'span-7'}>
          <OverTimePanel />
        </div>
        {embedded.value ? null : (
          <div class="span-5">
            <WhatIfHere />
          </div>
        )}
      </div>
      {embedded.value ? null : <AllNumbers answer={summary} />}
    </div>
  );
}
