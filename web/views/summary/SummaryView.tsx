import '../../styles/core-time.css';
import { rowsOf } from '../../engine/table';
import { useAnswer } from '../../state/answers';
import { coreTimePart } from '../../state/coreTime';
import { embedded } from '../../state/embed';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { AllNumbers } from './AllNumbers';
import { CoreTimePanel } from './CoreTimePanel';
import { DatasetsPanel } from './DatasetsPanel';
import { FindingsPanel } from './FindingsPanel';
import { LookCloser } from './LookCloser';
import { OverTimePanel } from './OverTimePanel';
import { PartPanel } from './PartPanel';
import { QualityLine } from './QualityLine';
import { RunVerdict } from './RunVerdict';
import { Tiles } from './Tiles';
import { WhatIfHere } from './WhatIfHere';

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
  const selected = coreTimePart.value !== '' && !embedded.value;
  return (
    <div class="stack" data-testid="view-summary">
      {empty ? <EmptyFilter /> : null}
      <RunVerdict />
      <Tiles answer={summary} />
      {embedded.value ? null : <LookCloser />}
      <div class="core-time-grid">
        <div class="core-time-column">
          <CoreTimePanel />
          <OverTimePanel />
          {embedded.value ? null : <WhatIfHere />}
        </div>
        <div class="core-time-column core-time-side">
          {selected ? <PartPanel /> : null}
          <FindingsPanel />
          {embedded.value ? null : <DatasetsPanel />}
        </div>
      </div>
      {embedded.value ? null : (
        <>
          <AllNumbers answer={summary} />
          <QualityLine />
        </>
      )}
    </div>
  );
}
