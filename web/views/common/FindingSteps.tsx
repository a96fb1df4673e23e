import { stepFinding } from '../../state/finding';

/** To the finding before and the one behind the followed one. */
export const FindingSteps = ({ inWords = false }: { inWords?: boolean }) => (
  <>
    <button
      type="button"
      class="button"
      aria-label="Previous finding"
      onClick={() => void stepFinding(-1)}
    >
      <kbd>[</kbd>
      {inWords ? ' Previous' : ''}
    </button>
    <button
      type="button"
      class="button"
      aria-label="Next finding"
      data-testid="next-finding"
      onClick={() => void stepFinding(1)}
    >
      {inWords ? 'Next ' : ''}
      <kbd>]</kbd>
    </button>
  </>
);
