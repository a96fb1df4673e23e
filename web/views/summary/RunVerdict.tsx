import { factOf } from '../../domain/facts';
import { coreTime, duration, unbroken } from '../../plot/format';
import { type Finding, faultsOf, findingsOf } from '../../state/finding';
import { soFar } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { noteText } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { WholeRun } from '../common/WholeRun';

/** The first finding and what it costs; where the core time went only where nothing was found. */
export function RunVerdict() {
  const findings = useAnswer('findings').table;
  const tree = useAnswer('core_time_tree', {}, { depth: 0 });
  const summary = useAnswer('summary').table;
  const [first] = findings ? faultsOf(findingsOf(findings)) : [];
  const text = first ? `${first.title}.` : noteText(tree, 'verdict');
  const elapsed = (summary && factOf(summary, 'elapsed_time_seconds')?.value) ?? Number.NaN;
  return (
    <ViewVerdict
      text={
        findings && text ? (
          <>
            {unbroken(text)} {isFiltered.value ? <WholeRun /> : null}
          </>
        ) : null
      }
      limits={first ? savingText(first, elapsed) : findings && noteText(tree, 'limits')}
      testId="run-verdict"
    />
  );
}

/** How much shorter the run could have been, or what it cost. */
export function savingText(finding: Finding, elapsed: number): string {
  const { gain_elapsed: gain, core_seconds: cost } = finding;
  if (cost === 0) return 'It costs no time.';
  if (!Number.isFinite(gain)) {
    return Number.isFinite(cost)
      ? `It cost ${coreTime(cost)}; saving not known.`
      : 'Saving not known.';
  }
  const took = Number.isFinite(elapsed) ? `; it took ${duration(elapsed)}${soFar.value}` : '';
  return `The run could have been up to ${duration(gain)} shorter${took}.`;
}
