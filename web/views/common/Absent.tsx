import { fullSentence } from '../../domain/sentenceCase';
import { activeRun } from '../../state/runs';
import { AddFile } from './AddFile';
import { recordRun } from './recording';
import { Snippet } from './Snippet';

export interface AbsentProps {
  title: string;
  /** why, and which file or option records it */
  reason: string;
  /** the recording lacks it: shows how to record it */
  recordable?: boolean;
  centered?: boolean;
  /** a file that was recorded but not opened would help */
  addable?: boolean;
}

/**
 * In place of a picture whose data the bundle does not hold: what is missing, how to record it, and
 * how to add it.
 */
export function Absent(props: AbsentProps) {
  const { title, reason, centered = false, addable = false } = props;
  return (
    <div class={centered ? 'absent absent-center' : 'absent'} data-testid="absent">
      <h2>{title}</h2>
      <p class="secondary">{fullSentence(reason)}</p>
      {props.recordable ? <Snippet code={recordRun} /> : null}
      {addable && activeRun.value ? (
        <div class="absent-actions row">
          <AddFile />
        </div>
      ) : null}
    </div>
  );
}

/** In place of a whole view. */
export const AbsentView = ({ testId, ...absent }: AbsentProps & { testId: string }) => (
  <section class="panel" data-testid={testId}>
    <Absent centered {...absent} />
  </section>
);
