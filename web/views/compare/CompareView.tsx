import '../../styles/runs.css';
import { unbroken } from '../../plot/format';
import { openFiles } from '../../state/opening';
import { type Pair, pair, per, runsOf, sidesOption } from '../../state/pair';
import { openRuns } from '../../state/runs';
import { selection } from '../../state/selection';
import { type Answer, useAnswerOf } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { Grid } from '../../ui/sight';
import { AbsentView } from '../common/Absent';
import { chooseFiles } from '../common/chooseFiles';
import { noteText } from '../common/Panel';
import { AlikePanel } from './AlikePanel';
import { CompareBar } from './CompareBar';
import { DiffPanel } from './DiffPanel';
import { ExplainedPanel } from './ExplainedPanel';
import { MatrixPanel } from './MatrixPanel';
import { PairsPanel } from './PairsPanel';
import { StepsPanel } from './StepsPanel';

/** What changed between two runs, and where? */
export function CompareView() {
  const sides = pair.value;
  if (!sides) {
    return (
      <AbsentView
        testId="compare-invitation"
        title="Open a second run to compare"
        reason="Drop another run on this page: Crema compares every number and shows which datasets, sections, activities and functions changed."
      />
    );
  }
  return <Comparison sides={sides} />;
}

function Comparison({ sides }: { sides: Pair }) {
  const runs = runsOf(sides);
  const verdict = useAnswerOf(runs, 'verdict', selection.value, sidesOption(sides));
  const answer = useAnswerOf(runs, 'compare', selection.value, {
    per: per.value,
    ...sidesOption(sides),
  });
  return (
    <div class="stack" data-testid="view-compare">
      <Verdict answer={verdict} />
      <CompareBar pair={sides} answer={answer} />
      <Grid even>
        <div class="span-6 compare-half stack">
          <StepsPanel pair={sides} verdict={verdict} rows={answer} />
          <MatrixPanel pair={sides} />
        </div>
        <div class="span-6 compare-half stack">
          <ExplainedPanel answer={verdict} />
          <PairsPanel pair={sides} />
          <AlikePanel answer={answer} missed={noteText(verdict, 'missed')} />
        </div>
      </Grid>
      <DiffPanel key={`${sides.a.id} ${sides.b.id}`} pair={sides} />
      <p class="compare-notes small muted" data-testid="compare-notes">
        {[
          runs.length > 2 && 'Call trees show the first run of each side.',
          noteText(answer, 'noise') && `Error: ${noteText(answer, 'noise')}`,
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

/** What a reviewer needs, before any number: what changed and where, and what is assumed. */
function Verdict({ answer }: { answer: Answer }) {
  const assumed = noteText(answer, 'assumed');
  return (
    <section
      class={`compare-verdict ${answer.pending ? 'panel-waiting' : ''}`}
      aria-label="What changed"
      data-testid="compare-verdict"
    >
      <p class="run-verdict-text">{unbroken(noteText(answer, 'headline')) || '\u00a0'}</p>
      <p class="secondary">
        {unbroken(noteText(answer, 'line'))} {assumed ? `${unbroken(assumed)}; ` : '\u00a0'}
        {assumed ? <AddReplicates /> : null}
      </p>
      <details class="muted">
        <summary>More, and the limits of this comparison</summary>
        <p>{unbroken(noteText(answer, 'sentence'))}</p>
        <p>{unbroken(noteText(answer, 'limits'))}</p>
      </details>
    </section>
  );
}

/** Further runs that are open stand in the menus beside A and B. */
const AddReplicates = () =>
  openRuns.value.length > 2 ? (
    <>replicates measure it.</>
  ) : (
    <>
      <Button
        class="link"
        data-testid="add-replicates"
        onClick={() => chooseFiles('files', (files) => void openFiles(files))}
      >
        add replicates to measure it
      </Button>
      .
    </>
  );
