import { fullSentence } from '../../domain/sentenceCase';
import { activeRun } from '../../state/runs';
import { AddFile } from './AddFile';
import { Snippet } from './Snippet';

export interface AbsentProps {
  title: string;
  /** why, and which file or option records it */
  reason: string;
  /** what to write in one's own code */
  snippet?: string;
  centered?: boolean;
  /** a file that was recorded but not opened would help */
  addable?: boolean;
}

/**
 * In place of a picture whose data the bundle does not hold: what is missing, how to record it, and
 * how to add it.
 */
export function Absent({ title, reason, snippet, centered = false, addable = false }: AbsentProps) {
  return (
    <div class={centered ? 'absent absent-center' : 'absent'} data-testid="absent">
      <h3>{title}</h3>
      <p>{fullSentence(reason)}</p>
      {snippet ? <Snippet code={snippet} /> : null}
      {addable && activeRun.value ? (
        <div class="absent-actions">
          <AddFile />
        </div>
      ) : null}
    </div>
  );
}

/** In place of a view of several runs while too few are open. */
export function Invitation({
  title,
  reason,
  testId,
}: {
  title: string;
  reason: string;
  testId: string;
}) {
  return (
    <section class="panel" data-testid={testId}>
      <Absent centered title={title} reason={reason} />
    </section>
  );
}
