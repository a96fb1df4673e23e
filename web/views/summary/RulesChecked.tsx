import { checksOf } from '../../domain/checks';
import type { RunId } from '../../engine/engine';
import { count } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import type { Finding } from '../../state/finding';

export interface RulesCheckedProps {
  run: RunId | undefined;
  findings: readonly Finding[];
}

/** No finding is an answer too, and so are a few: what else was checked, and what could not be. */
export function RulesChecked({ run, findings }: RulesCheckedProps) {
  const { table } = useAnswer(run, 'rules');
  if (!table) return null;
  const { passed, missing, notRun } = checksOf(table, findings);
  return (
    <details class="rules-checked" data-testid="rules-checked">
      <summary class="muted">
        {count(passed.length)} {findings.length > 0 ? 'other ' : ''}
        {passed.length === 1 ? 'check' : 'checks'} passed
        {notRun > 0 ? `, ${count(notRun)} could not run` : ''}
      </summary>
      {notRun > 0 ? <p class="muted">Not recorded: {missing.join(', ')}.</p> : null}
      <ul>
        {passed.map((rule) => (
          <li key={rule.looks_at}>{rule.looks_at}</li>
        ))}
      </ul>
    </details>
  );
}
