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
        <div class="span-8 stack">
          <FactTables answer={summary} />
        </div>
        <div class="span-4 grid">
          <CoresPanel />
          <DatasetsPanel />
        </div>
      </div>
      <QualityLine />
    </div>
  );
}
