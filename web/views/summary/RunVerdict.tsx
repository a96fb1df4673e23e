import { factOf } from '../../domain/facts';
import { duration, unbroken } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { type Finding, findingsOf, isFact } from '../../state/finding';
import { activeRun, soFar } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { noteText } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { WholeRun } from '../common/WholeRun';

/**
 * What heads the run: the first finding and what it costs; where nothing was found, or the run is too
 * short to tell much, where the core time went.
 */
export function RunVerdict() {
  const run = activeRun.value?.id;
  const findings = useAnswer(run, 'findings').table;
  const tree = useAnswer(run, 'core_time_tree', {}, { depth: 0 });
  const summary = useAnswer(run, 'summary').table;
  const [first] = findings
    ? findingsOf(findings).filter((finding) => !isFact(finding))
    : [undefined];
  const found = first && `${first.title}.`;
  const text = noteText(tree, 'verdict') || found;
  const elapsed = (summary && factOf(summary, 'elapsed_time_seconds')?.value) ?? Number.NaN;
  return (
    <ViewVerdict
      text={
        findings && !tree.pending && text ? (
          <>
            {unbroken(text)} {isFiltered.value ? <WholeRun /> : null}
          </>
        ) : null
      }
      limits={
        first && text === found ? savingText(first, elapsed) : findings && noteText(tree, 'limits')
      }
      testId="run-verdict"
    />
  );
}

/** How much shorter the run could have been. */
export function savingText({ gain_elapsed: gain }: Finding, elapsed: number): string {
  if (!Number.isFinite(gain)) return 'Saving not known.';
  const took = Number.isFinite(elapsed) ? `; it took ${duration(elapsed)}${soFar.value}` : '';
  return `Without it the run could have been up to ${duration(gain)} shorter${took}.`;
}
