import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { factsOf } from '../common/facts';
import { BudgetPanel } from './BudgetPanel';
import { CoresPanel } from './CoresPanel';
import { DatasetsPanel } from './DatasetsPanel';
import { FactTables } from './FactTables';
import { QualityLine } from './QualityLine';
import { Tiles } from './Tiles';

/** Where did the core-time go, and what are the numbers? */
export function SummaryView() {
  const run = activeRunId.value;
  const summary = useAnswer(run, 'summary', selection.value);
  const facts = summary.table ? factsOf(summary.table) : [];
  if (facts.length > 0 && !isFiltered.value && !facts.some((fact) => Number.isFinite(fact.value))) {
    return (
      <section class="panel" data-testid="view-summary">
        <Absent
          centered
          title="No metrics in this bundle"
          reason="A summary needs roastcoffea’s metrics.json, Dask’s span metrics or a coffea report. Open them together with the other files of the run, as one folder. What this bundle does hold is in the other views."
        />
      </section>
    );
  }
  return (
    <div class="stack" data-testid="view-summary">
      <BudgetPanel />
      <Tiles answer={summary} />
      <div class="grid">
        <div class="span-4 half stack">
          <FactTables answer={summary} groups={['throughput', 'events', 'resources']} />
        </div>
        <div class="span-4 half stack">
          <FactTables answer={summary} groups={['timing', 'fine', 'other']} />
        </div>
        <div class="span-4 grid">
          <CoresPanel />
          <DatasetsPanel />
          <FactTables answer={summary} groups={['chunks']} />
        </div>
      </div>
      <QualityLine />
    </div>
  );
}
