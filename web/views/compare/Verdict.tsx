import type { Answer } from '../../state/answers';
import { noteText } from '../common/Panel';

/** Lines break beside a unit or an option's name, not in it. */
const unbroken = (text: string) =>
  text.split(/((?:\S+ )?core-s|--run-spread)/).map((part, i) =>
    i % 2 === 1 ? (
      <span key={i} class="nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );

/** What a reviewer needs, before any number: what changed and where, and what that cannot tell. */
export function Verdict({ answer }: { answer: Answer }) {
  const sentence = noteText(answer, 'sentence');
  if (!sentence) return null;
  // how much, which ends with its numbers in brackets; then where; then why, and what else
  const end = sentence.indexOf('). ') + 2;
  const much = end > 2 ? sentence.slice(0, end) : sentence;
  const [where = '', ...more] = sentence
    .slice(much.length)
    .trim()
    .split(/(?<=\.) (?=[A-Z])/);
  return (
    <section
      class={`compare-verdict ${answer.pending ? 'panel-waiting' : ''}`}
      aria-label="What changed"
      data-testid="compare-verdict"
    >
      <p class="run-verdict-text">{unbroken(much)}</p>
      <p>{unbroken(where)}</p>
      <details class="muted">
        <summary>More, and the limits of this comparison</summary>
        <p>{unbroken(more.join(' '))}</p>
        <p>{unbroken(noteText(answer, 'limits'))}</p>
      </details>
    </section>
  );
}
