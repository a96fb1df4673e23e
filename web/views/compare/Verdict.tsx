import type { Answer } from '../../state/answers';
import { noteText } from '../common/Panel';

/** What a reviewer needs, before any number: what changed and where, and what that cannot tell. */
export function Verdict({ answer }: { answer: Answer }) {
  const sentence = noteText(answer, 'sentence');
  if (!sentence) return null;
  // how much, which ends with its numbers in brackets; then where and why
  const end = sentence.indexOf('). ') + 2;
  const much = end > 2 ? sentence.slice(0, end) : sentence;
  return (
    <section
      class={`compare-verdict ${answer.pending ? 'panel-waiting' : ''}`}
      aria-label="What changed"
      data-testid="compare-verdict"
    >
      <p class="compare-verdict-sentence">{much}</p>
      <p>{sentence.slice(much.length)}</p>
      <p class="muted">{noteText(answer, 'limits')}</p>
    </section>
  );
}
