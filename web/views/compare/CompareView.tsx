import '../../styles/runs.css';
import { useAnswerOf } from '../../state/answers';
import { pair, per, runsOf, sidesOption } from '../../state/pair';
import { selection } from '../../state/selection';
import { Invitation } from '../common/Absent';
import { noteText } from '../common/Panel';
import { ChangeTiles } from './ChangeTiles';
import { CompareBar } from './CompareBar';
import { ContributionsPanel } from './ContributionsPanel';
import { CoursesPanel } from './CoursesPanel';
import { DiffPanel } from './DiffPanel';
import { MatrixPanel } from './MatrixPanel';
import { PairsPanel } from './PairsPanel';
import { SetupPanel } from './SetupPanel';
import { StepsPanel } from './StepsPanel';
import { Verdict } from './Verdict';

/** What changed between two runs, and where? */
export function CompareView() {
  const sides = pair.value;
  const answer = useAnswerOf(sides ? runsOf(sides) : [], 'compare', selection.value, {
    per: per.value,
    ...(sides ? sidesOption(sides) : {}),
  });
  if (!sides) {
    return (
      <Invitation
        testId="compare-invitation"
        title="Open a second run to compare"
        reason="Drop another run on this page: Crema compares every number and shows which datasets, sections, activities and functions changed."
      />
    );
  }
  return (
    <div class="stack" data-testid="view-compare">
      <Verdict answer={answer} />
      <CompareBar pair={sides} />
      <div class="grid grid-even">
        <div class="span-6 compare-half stack">
          <StepsPanel pair={sides} />
          <SetupPanel answer={answer} />
        </div>
        <div class="span-6 compare-half stack">
          <MatrixPanel pair={sides} />
          <PairsPanel pair={sides} />
        </div>
      </div>
      <ChangeTiles answer={answer} />
      <div class="grid grid-even">
        <div class="span-6 compare-half">
          <ContributionsPanel answer={answer} />
        </div>
        <div class="span-6 compare-half stack">
          <CoursesPanel pair={sides} answer={answer} />
        </div>
      </div>
      <DiffPanel key={`${sides.a.id} ${sides.b.id}`} pair={sides} />
      <p class="compare-notes" data-testid="compare-notes">
        {[
          sides.runs.a.length + sides.runs.b.length > 2 &&
            'Time courses and call trees show the first run of each side.',
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
