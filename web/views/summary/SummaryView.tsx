import { rowsOf } from '../../engine/table';
import { useAnswer } from '../../state/answers';
import { embedded } from '../../state/embed';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { BudgetPanel } from './BudgetPanel';
import { CoresPanel } from './CoresPanel';
import { DatasetsPanel } from './DatasetsPanel';
import { FactTables } from './FactTables';
import { FindingsPanel } from './FindingsPanel';
import { factTablesId } from './factGroups';
import { QualityLine } from './QualityLine';
import { Tiles } from './Tiles';

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
  return (
    <div class="stack" data-testid="view-summary">
      {empty ? <EmptyFilter /> : null}
      <BudgetPanel />
      <Tiles answer={summary} />
      <div class="grid grid-even">
        <div class="span-8 stack">
          <FindingsPanel />
        </div>
        <div class="span-4 grid summary-side">
          <CoresPanel />
          {embedded.value ? null : <DatasetsPanel />}
        </div>
      </div>
      {embedded.value ? null : (
        <>
          <div class="grid" id={factTablesId}>
            <div class="span-4 stack">
              <FactTables answer={summary} groups={['throughput', 'events', 'timing']} />
            </div>
            <div class="span-4 stack">
              <FactTables answer={summary} groups={['resources', 'other']} />
            </div>
            <div class="span-4 stack">
              <FactTables answer={summary} groups={['fine', 'chunks']} />
            </div>
          </div>
          <QualityLine />
        </>
      )}
    </div>
  );
}
