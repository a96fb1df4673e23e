import { fullSentence } from '../../domain/sentenceCase';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { SizesChart } from './SizesChart';

/** What other chunk sizes would cost. */
export function SizesPanel() {
  const answer = useAnswer(activeRunId.value, 'chunk_sizes', selection.value);
  const { table } = answer;
  return (
    <Panel
      title="Chunk size"
      subtitle={
        noteText(answer, 'selection') ||
        'expected run time for other sizes; the band is the uncertainty'
      }
      answer={answer}
      className="span-5"
      testId="sizes"
    >
      {table && table.rows > 0 ? (
        <>
          <p class="advice" data-testid="sizes-advice">
            {fullSentence(noteText(answer, 'advice') || noteText(answer, 'missing'))}
          </p>
          <SizesChart table={table} />
          {noteText(answer, 'basis') ? (
            <p class="muted">{fullSentence(noteText(answer, 'basis'))}</p>
          ) : null}
        </>
      ) : null}
      {table?.rows === 0 ? <Absent title="No advice" reason={noteText(answer, 'missing')} /> : null}
    </Panel>
  );
}
