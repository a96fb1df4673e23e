import { useAnswerOf } from '../../state/answers';
import { pair, per } from '../../state/pair';
import { selection } from '../../state/selection';
import { Invitation } from '../common/Absent';
import { noteText } from '../common/Panel';
import { BudgetsPanel } from './BudgetsPanel';
import { ChangeTiles } from './ChangeTiles';
import { CompareBar } from './CompareBar';
import { ContributionsPanel } from './ContributionsPanel';
import { CoursesPanel } from './CoursesPanel';
import { DiffPanel } from './DiffPanel';
import { DurationsPanel } from './DurationsPanel';
import { SetupPanel } from './SetupPanel';
import { Verdict } from './Verdict';

/** What changed between two runs, and where? */
export function CompareView() {
  const sides = pair.value;
  const answer = useAnswerOf(sides ? [sides.a.id, sides.b.id] : [], 'compare', selection.value, {
    per: per.value,
  });
  if (!sides) {
    return (
      <Invitation
        testId="compare-invitation"
        title="Open a second run to compare"
        reason="Drop another bundle on this page, or two at once: what changed is said number by number, with the core-time of both side by side and the change attributed to datasets, sections, activities and your own functions."
      />
    );
  }
  return (
    <div class="stack" data-testid="view-compare">
      <CompareBar pair={sides} />
      <Verdict answer={answer} />
      <ChangeTiles answer={answer} />
      <SetupPanel answer={answer} />
      <BudgetsPanel answer={answer} />
      <div class="grid grid-even">
        <div class="span-6 compare-half">
          <ContributionsPanel answer={answer} />
        </div>
        <div class="span-6 compare-half stack">
          <CoursesPanel pair={sides} answer={answer} />
          <DurationsPanel pair={sides} />
        </div>
      </div>
      <DiffPanel key={`${sides.a.id} ${sides.b.id}`} pair={sides} />
      <p class="compare-notes" data-testid="compare-notes">
        {[
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
