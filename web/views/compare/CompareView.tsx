import { Sign } from '../../ui/Sign';
import '../../styles/runs.css';
import { unbroken } from '../../plot/format';
import { pair, per, runsOf, sidesOption } from '../../state/pair';
import { selection } from '../../state/selection';
import { type Answer, useAnswerOf } from '../../state/useAnswer';
import { Grid } from '../../ui/sight';
import { AbsentView } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { ChangeTiles } from './ChangeTiles';
import { CompareBar } from './CompareBar';
import { ContributionsPanel } from './ContributionsPanel';
import { type Change, changesOf, valueText } from './changes';
import { DiffPanel } from './DiffPanel';
import { MatrixPanel } from './MatrixPanel';
import { PairsPanel } from './PairsPanel';
import { StepsPanel } from './StepsPanel';

/** What changed between two runs, and where? */
export function CompareView() {
  const sides = pair.value;
  const answer = useAnswerOf(sides ? runsOf(sides) : [], 'compare', selection.value, {
    per: per.value,
    ...(sides ? sidesOption(sides) : {}),
  });
  if (!sides) {
    return (
      <AbsentView
        testId="compare-invitation"
        title="Open a second run to compare"
        reason="Drop another run on this page: Crema compares every number and shows which datasets, sections, activities and functions changed."
      />
    );
  }
  return (
    <div class="stack" data-testid="view-compare">
      {/* first: what is chosen here must not move when the verdict below it changes */}
      <CompareBar pair={sides} />
      <Verdict answer={answer} />
      <Grid even>
        <div class="span-6 compare-half stack">
          <StepsPanel pair={sides} />
          <SetupPanel answer={answer} />
        </div>
        <div class="span-6 compare-half stack">
          <MatrixPanel pair={sides} />
          <PairsPanel pair={sides} />
        </div>
      </Grid>
      <ChangeTiles answer={answer} pair={sides} />
      <ContributionsPanel answer={answer} />
      <DiffPanel key={`${sides.a.id} ${sides.b.id}`} pair={sides} />
      <p class="compare-notes small muted" data-testid="compare-notes">
        {[
          sides.runs.a.length + sides.runs.b.length > 2 &&
            'Call trees show the first run of each side.',
          noteText(answer, 'noise') && `Noise: ${noteText(answer, 'noise')}`,
          noteText(answer, 'not_compared') && `Not compared: ${noteText(answer, 'not_compared')}.`,
          noteText(answer, 'selection') && `Filter: ${noteText(answer, 'selection')}.`,
        ]
          .filter(Boolean)
          .map((text) => (
            <span key={text}>{text}</span>
          ))}
      </p>
    </div>
  );
}

/** What a reviewer needs, before any number: what changed and where, and what that cannot tell. */
function Verdict({ answer }: { answer: Answer }) {
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

const sideText = (change: Change, side: 'a' | 'b'): string =>
  (side === 'a' ? change.a_text : change.b_text) || valueText(change, change[side]);

/** What was not alike before anything ran, first of all: it may explain every difference below. */
function SetupPanel({ answer }: { answer: Answer }) {
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
        rows.length === 0 ? '' : unlike.length === 0 ? 'nothing differs' : 'the runs differ'
      }
      answer={answer}
      name="setup"
      testId="setup"
    >
      {unlike.length > 0 ? (
        <ul class="setup-rows">
          {unlike.map((change) => (
            <li key={change.id} data-testid={`setup-${change.id.replace(/^setup\./, '')}`}>
              <Sign of="warn" />
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
        <p class="setup-alike small secondary">
          <Sign of="good" /> Same in both: {names(alike)}
        </p>
      ) : null}
      {unknown.length > 0 ? (
        <p class="setup-alike small secondary">Not recorded in either: {names(unknown)}</p>
      ) : null}
    </Panel>
  );
}

const isTold = (change: Change): boolean => change.a_text !== '' || Number.isFinite(change.a);

const lower = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);
