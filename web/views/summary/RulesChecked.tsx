import type { RunId } from '../../engine/engine';
import { rowsOf } from '../../engine/table';
import { count } from '../../plot/format';
import { useAnswer } from '../../state/answers';

/** No finding is an answer too, and so are one or two: what was looked at, as the core lists it. */
export function RulesChecked({ run, others }: { run: RunId | undefined; others: boolean }) {
  const { table } = useAnswer(run, 'rules');
  const rules = table ? rowsOf(table) : [];
  const checked = rules.filter((rule) => rule.recorded === 1);
  const needed = new Set(rules.filter((rule) => rule.recorded !== 1).map((rule) => rule.needs));
  return (
    <div class="rules-checked" data-testid="rules-checked">
      <p>
        <span class="good-mark" aria-hidden="true">
          ✓
        </span>{' '}
        {table ? `${count(checked.length)} rules were checked` : 'All rules were checked'}, and{' '}
        {others ? 'no other' : 'none'} found anything worth a change.
      </p>
      {needed.size > 0 ? (
        <p class="muted">
          {count(rules.length - checked.length)} could not be checked: the recording lacks{' '}
          {[...needed].join(', ')}.
        </p>
      ) : null}
      <details>
        <summary>What they look at</summary>
        <ul>
          {checked.map((rule) => (
            <li key={rule.looks_at}>{rule.looks_at}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}
