import type { Answer } from '../../state/answers';
import { Panel } from '../common/Panel';
import { type Change, changesOf, valueText } from './changes';

const sideText = (change: Change, side: 'a' | 'b'): string =>
  (side === 'a' ? change.a_text : change.b_text) || valueText(change, change[side]);

/** What was not alike before anything ran, first of all: it may explain every difference below. */
export function SetupPanel({ answer }: { answer: Answer }) {
  const rows = answer.table ? changesOf(answer.table, 'setup') : [];
  const unlike = rows.filter((change) => change.noteworthy === 1);
  const unknown = rows.filter((change) => change.noteworthy !== 1 && !isTold(change));
  const alike = rows.filter((change) => change.noteworthy !== 1 && isTold(change));
  const names = (changes: readonly Change[]) =>
    changes.map((change) => lower(change.label)).join(' · ');
  return (
    <Panel
      title="Set-up"
      subtitle={
        rows.length === 0
          ? ''
          : unlike.length === 0
            ? 'like for like: nothing differs'
            : 'not like for like'
      }
      answer={answer}
      name="setup"
      testId="setup"
    >
      {unlike.length > 0 ? (
        <ul class="setup-rows">
          {unlike.map((change) => (
            <li key={change.id} data-testid={`setup-${change.id.replace(/^setup\./, '')}`}>
              <span class="warn-mark" aria-hidden="true">
                ▲
              </span>
              <b>{change.label}</b>
              <span>
                {sideText(change, 'a')} → {sideText(change, 'b')}
              </span>
              {change.note ? <span class="muted">{change.note}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
      {alike.length > 0 ? (
        <p class="setup-alike">
          <span class="good-mark" aria-hidden="true">
            ✓
          </span>{' '}
          Same in both: {names(alike)}
        </p>
      ) : null}
      {unknown.length > 0 ? (
        <p class="setup-alike">Not recorded in either: {names(unknown)}</p>
      ) : null}
    </Panel>
  );
}

const isTold = (change: Change): boolean => change.a_text !== '' || Number.isFinite(change.a);

const lower = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);
