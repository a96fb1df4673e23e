import { stepFinding } from '../../state/finding';
import { Button } from '../../ui/Button';

/** To the finding before and the one behind the followed one. */
export const FindingSteps = ({ inWords = false }: { inWords?: boolean }) => (
  <>
    <Button aria-label="Previous finding" onClick={() => void stepFinding(-1)}>
      <kbd>[</kbd>
      {inWords ? ' Previous' : ''}
    </Button>
    <Button
      aria-label="Next finding"
      data-testid="next-finding"
      onClick={() => void stepFinding(1)}
    >
      {inWords ? 'Next ' : ''}
      <kbd>]</kbd>
    </Button>
  </>
);
