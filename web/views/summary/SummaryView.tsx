import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
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
