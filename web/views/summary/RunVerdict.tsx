import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { noteText } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { WholeRun } from '../common/WholeRun';

/** Where the core-time went, in one sentence, and the limits of that claim. */
export function RunVerdict() {
  const answer = useAnswer(activeRunId.value, 'core_time_tree', {}, { depth: 0 });
  const text = noteText(answer, 'verdict');
  return (
    <ViewVerdict
      text={
        text ? (
          <>
            {text} {isFiltered.value ? <WholeRun /> : null}
          </>
        ) : null
      }
      limits={noteText(answer, 'limits')}
      testId="run-verdict"
    />
  );
}
