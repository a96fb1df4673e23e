import { useAnswer } from '../../state/answers';
import { isMarked, markedSelection } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { WhyTable } from '../common/WhyTable';

/** Why these? Once some chunks are selected, or a finding is about some: what sets them apart from the others. */
export function WhyPanel() {
  const some = isFiltered.value || isMarked.value;
  const answer = useAnswer(activeRunId.value, some ? 'why' : '', markedSelection.value);
  if (!some) return null;
  return (
    <Panel
      title="What do these chunks share?"
      subtitle={[
        'selected chunks against all others; grey: not significant',
        noteText(answer, 'selection'),
      ]
        .filter(Boolean)
        .join(' · ')}
      answer={answer}
      className="span-12"
      testId="why"
    >
      <WhyTable table={answer.table} most={12} />
    </Panel>
  );
}
