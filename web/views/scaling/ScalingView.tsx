import '../../styles/runs.css';
import { fullSentence } from '../../domain/sentenceCase';
import { useAnswerOf } from '../../state/answers';
import { target } from '../../state/pair';
import { openRuns } from '../../state/runs';
import { selection } from '../../state/selection';
import { Invitation } from '../common/Absent';
import { noteText } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { EfficiencyPanel } from './EfficiencyPanel';
import { PerCorePanel } from './PerCorePanel';
import { RatePanel } from './RatePanel';
import { RunsPanel } from './RunsPanel';
import { studyOf } from './study';
import { WhatIfPanel } from './WhatIfPanel';

const fewest = 3;

/** Do more cores help? All open runs side by side; of one, what else it could have been. */
export function ScalingView() {
  const runs = openRuns.value.map((run) => run.id);
  const enough = runs.length >= fewest;
  const answer = useAnswerOf(
    enough ? runs : [],
    'scaling',
    selection.value,
    target.value === undefined ? {} : { target: target.value },
  );
  const study = answer.table && studyOf(answer.table);
  const sentence = noteText(answer, 'sentence');
  return (
    <div class="stack" data-testid="view-scaling">
      {enough ? (
        <>
          <ViewVerdict
            text={sentence && fullSentence(sentence)}
            limits={noteText(answer, 'limits')}
            testId="scaling-verdict"
          />
          <div class="grid grid-even">
            <div class="span-8 compare-half">
              <RatePanel answer={answer} study={study} />
            </div>
            <div class="span-4 compare-half stack">
              <PerCorePanel answer={answer} study={study} />
            </div>
          </div>
          <EfficiencyPanel />
          <RunsPanel answer={answer} study={study} />
        </>
      ) : (
        <Invitation
          testId="scaling-invitation"
          title="Open more runs of the same work"
          reason="Drop two runs to compare them, more for scaling or history. A scaling study needs three runs on different numbers of cores; a history needs three runs, or their digests."
        />
      )}
      <WhatIfPanel />
    </div>
  );
}
