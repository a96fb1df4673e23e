import { currentFinding, filterToFinding, isMarked, leaveFinding } from '../state/finding';
import { activeRunId } from '../state/runs';
import { tabOf, view } from '../state/view';
import { Button } from '../ui/Button';
import { FindingSteps } from '../views/common/FindingSteps';
import { SeverityChip } from '../views/common/SeverityChip';

/** On the view that a finding led to: what to see here, and the way to the next one. */
export function FindingStrip() {
  const now = currentFinding.value;
  if (
    !now ||
    now.run !== activeRunId.value ||
    view.value === 'summary' ||
    tabOf(now.finding.view) !== tabOf(view.value)
  )
    return null;
  const { finding } = now;
  return (
    <section class="strip" aria-label="Finding" data-testid="finding-strip">
      <SeverityChip severity={finding.severity} />
      <b>{finding.title}</b>
      <span class="strip-text" title={finding.evidence}>
        {finding.evidence}
      </span>
      <span class="strip-actions">
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
        <Button class="button button-icon" aria-label="Hide the finding" onClick={leaveFinding}>
          ✕
        </Button>
      </span>
    </section>
  );
}
