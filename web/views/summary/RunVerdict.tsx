import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { noteText } from '../common/Panel';
import { WholeRun } from '../common/WholeRun';

/** Where the core-time went, in one sentence, and the limits of that claim. */
export function RunVerdict() {
  const answer = useAnswer(activeRunId.value, 'core_time_tree', {}, { depth: 0 });
  const text = noteText(answer, 'verdict');
  return (
    <section class="run-verdict" aria-label="Verdict" data-testid="run-verdict">
      <p class="run-verdict-text">
        {text || '\u00a0'} {text && isFiltered.value ? <WholeRun /> : null}
      </p>
      <p class="run-verdict-limits">{noteText(answer, 'limits') || '\u00a0'}</p>
    </section>
  );
}
