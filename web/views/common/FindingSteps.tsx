import { currentFinding, faultsOf, findingsOf, stepFinding } from '../../state/finding';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';

/** To the finding before and the one behind the followed one, where there is another. */
export function FindingSteps({ inWords = false }: { inWords?: boolean }) {
  const { table } = useAnswer('findings');
  const followed = currentFinding.value?.finding.row;
  const others = table ? faultsOf(findingsOf(table)).filter(({ row }) => row !== followed) : [];
  if (others.length === 0) return null;
  return (
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
}
