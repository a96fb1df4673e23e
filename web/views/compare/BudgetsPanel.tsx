import type { Answer } from '../../state/answers';
import { noteText, Panel } from '../common/Panel';
import { BudgetsChart } from './BudgetsChart';
import { deltaText, perOf, perUnits, splitOf, valueText } from './changes';

/** The core-time of both runs on one axis, part above part. */
export function BudgetsPanel({ answer }: { answer: Answer }) {
  const { table } = answer;
  const split = table && splitOf(table, 'budget');
  return (
    <Panel
      title="Where the core-time went"
      subtitle={
        split
          ? `${valueText(split.total, split.total.a)} → ${valueText(split.total, split.total.b)}, ${deltaText(split.total)}${perOf(split.total) === 'share' ? ` · ${perUnits.share}` : ''}`
          : ''
      }
      answers={[answer]}
      twin={table}
      name="budgets"
      testId="budgets"
    >
      {split ? (
        <BudgetsChart split={split} />
      ) : (
        <p class="missing">
          {table
            ? noteText(answer, 'not_compared')
                .split('; ')
                .find((part) => part.startsWith('parts of the core-time')) ||
              'Neither run has chunks or fine metrics.'
            : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}
