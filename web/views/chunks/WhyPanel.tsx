import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { WhyTable } from '../common/WhyTable';

/** Why these? Once some chunks are selected: what sets them apart from the others. */
export function WhyPanel() {
  const answer = useAnswer(activeRunId.value, isFiltered.value ? 'why' : '', selection.value);
  if (!isFiltered.value) return null;
  return (
    <Panel
      title="Why these chunks?"
      subtitle={[
        'the selected chunks compared with all others; grey: explained by chance',
        noteText(answer, 'selection'),
      ]
        .filter(Boolean)
        .join(' · ')}
      answers={[answer]}
      twin={answer.table}
      className="span-12"
      testId="why"
    >
      <WhyTable table={answer.table} most={12} />
    </Panel>
  );
}
