import type { ComponentChildren } from 'preact';
import { unbroken } from '../../plot/format';
import {
  type Finding,
  filterToFinding,
  headline,
  isFact,
  isMarked,
  leaveFinding,
} from '../../state/finding';
import { Button } from '../../ui/Button';
import { FindingSteps } from './FindingSteps';
import { SeverityChip } from './SeverityChip';

export interface ViewVerdictProps {
  text: ComponentChildren;
  limits: ComponentChildren;
  testId: string;
}

/** Of several lines of evidence the first: the others are on the Summary. */
const shown = (text: ComponentChildren): ComponentChildren =>
  typeof text === 'string' && text ? unbroken(text).split('\n')[0] : text || '\u00a0';

/**
 * What a view comes to in one sentence, and below it the limits of that claim; where a finding led
 * here, the finding.
 */
export function ViewVerdict({ testId, ...own }: ViewVerdictProps) {
  const finding = headline.value;
  const { text, limits } = finding ? { text: `${finding.title}.`, limits: finding.evidence } : own;
  return (
    <section class="run-verdict" aria-label="Verdict" data-testid={testId}>
      <p class="run-verdict-text">{shown(text)}</p>
      <p class="run-verdict-limits">{shown(limits)}</p>
      {finding ? <FollowedActions finding={finding} /> : null}
    </section>
  );
}

/** What can be done with the finding that is followed. */
const FollowedActions = ({ finding }: { finding: Finding }) => (
  <div class="verdict-actions row" data-testid="followed">
    {isFact(finding) ? null : <SeverityChip severity={finding.severity} />}
    {isMarked.value ? (
      <Button
        title="Narrow all views to what this finding is about"
        data-testid="filter-to-finding"
        onClick={filterToFinding}
      >
        <kbd>F</kbd> Filter to it
      </Button>
    ) : null}
    <FindingSteps inWords />
    <Button onClick={leaveFinding}>Hide the finding</Button>
  </div>
);
