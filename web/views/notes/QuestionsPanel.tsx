import type { Answer } from '../../state/answers';
import { view, viewTitle } from '../../state/view';
import { Button } from '../../ui/Button';
import { Explained } from '../../ui/Explained';
import { Panel } from '../common/Panel';
import type { Answerable } from './answerable';

const marks = {
  yes: { sign: '✓', colour: 'good-mark' },
  'in part': { sign: '◐', colour: 'warn-mark' },
  no: { sign: '✕', colour: 'bad-mark' },
} as const;

export interface QuestionsPanelProps {
  /** of `rules` */
  answer: Answer;
  questions: readonly Answerable[];
}

/** Ten questions: answered or not, by what, and the line that records what is missing. */
export function QuestionsPanel({ answer, questions }: QuestionsPanelProps) {
  return (
    <Panel
      title="What this recording can answer"
      subtitle="✓ yes · ◐ in part · ✕ not recorded"
      answer={answer}
      testId="questions"
    >
      <ul class="questions">
        {questions.map(({ asks, answered, restsOn, missing, view: id, line }) => (
          <li key={asks} data-testid={`question-${id}`}>
            <span class={marks[answered].colour} role="img" aria-label={answered}>
              {marks[answered].sign}
            </span>
            <b>{asks}</b>
            <span class="muted">
              {answered === 'yes' ? restsOn.join(', ') : `missing: ${missing.join(', ')}`}
              {answered === 'yes' ? null : (
                <>
                  {' · '}
                  <Explained content={() => <code class="mono">{line}</code>}>
                    how to record it
                  </Explained>
                </>
              )}
            </span>
            <Button
              class="link"
              onClick={() => {
                view.value = id;
              }}
            >
              {viewTitle(id)}&#8201;›
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
