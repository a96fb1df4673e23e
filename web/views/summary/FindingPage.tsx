import { factOf } from '../../domain/facts';
import { rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { duration, fixed } from '../../plot/format';
import type { CssPixels } from '../../plot/useSize';
import { type Finding, faultsOf, findingsOf, leaveFinding, openFinding } from '../../state/finding';
import { addressOf, here } from '../../state/link';
import { useAnswer } from '../../state/useAnswer';
import { viewTitle } from '../../state/view';
import { Button } from '../../ui/Button';
import { Grid } from '../../ui/sight';
import { CopyButton } from '../common/CopyButton';
import { FindingSteps } from '../common/FindingSteps';
import { FixToTry } from '../common/FixToTry';
import { Panel } from '../common/Panel';
import { SeverityChip } from '../common/SeverityChip';
import { ViewVerdict } from '../common/ViewVerdict';
import { ProofPanel } from './ProofPanel';
import { proofsOf } from './proofs';
import { RuledOut, useRuledOut } from './RuledOut';
import { savingText } from './RunVerdict';
import { SimilarRuns } from './SimilarRuns';

/** Of the window: what stands above the first picture, its title and its legend. */
const aroundChart: CssPixels = 330;

/** Is it true, and what do I do? One finding with the pictures that prove it. */
export function FindingPage({ finding }: { finding: Finding }) {
  const proofs = proofsOf(finding);
  const height = Math.max(260, (window.innerHeight - aroundChart) / (proofs.length > 1 ? 2 : 1));
  const { table } = useAnswer('findings');
  const advice = rowsOf(useAnswer('advice').table).filter(({ finding: id }) => id === finding.id);
  const summary = useAnswer('summary').table;
  const elapsed = (summary && factOf(summary, 'elapsed_time_seconds')?.value) ?? Number.NaN;
  const looked = useRuledOut(finding);
  const address = addressOf(here.value);
  const all = table ? faultsOf(findingsOf(table)) : [];
  const place = all.findIndex(({ row }) => row === finding.row);
  return (
    <div class="stack" data-testid="finding-page">
      <div class="finding-page-head">
        <Button class="link" data-testid="finding-back" onClick={leaveFinding}>
          ‹&#8201;Summary
        </Button>
        <span class="muted">
          Finding {fixed(place + 1, 0)} of {fixed(all.length, 0)}
        </span>
        <SeverityChip severity={finding.severity} />
        <span class="panel-actions row">
          <FindingSteps />
          <Button
            data-testid="finding-open"
            onClick={() => {
              openFinding(finding);
              if (finding.view === 'summary') leaveFinding();
            }}
          >
            Open in {viewTitle(finding.view)}
          </Button>
          {address === undefined ? null : (
            <CopyButton title="Copy link" text={address} testId="copy-link" />
          )}
        </span>
      </div>
      <ViewVerdict
        text={`${finding.title}.`}
        limits={savingText(finding, elapsed)}
        testId="finding-verdict"
      />
      <Grid>
        {proofs.length > 0 ? (
          <div class="span-8 stack">
            {proofs.map((proof, place) => (
              <ProofPanel
                key={`${finding.key} ${proof.title}`}
                proof={proof}
                finding={finding}
                height={height}
                needed={place === 0}
              />
            ))}
          </div>
        ) : null}
        <div class={proofs.length > 0 ? 'span-4 stack' : 'span-12 stack'}>
          <Panel title="Why">
            <p class="evidence">{finding.evidence}</p>
          </Panel>
          {Number.isFinite(finding.gain_elapsed) && Number.isFinite(elapsed) ? (
            <Panel title="Possible saving">
              <BarRows
                label="Possible saving"
                rows={[
                  {
                    id: 'recorded',
                    label: 'as recorded',
                    value: elapsed,
                    colour: '--line-2',
                    texts: [duration(elapsed)],
                  },
                  {
                    id: 'saving',
                    label: 'shorter by up to',
                    value: finding.gain_elapsed,
                    colour: '--accent',
                    texts: [duration(finding.gain_elapsed)],
                  },
                ]}
              />
            </Panel>
          ) : null}
          {looked.length > 0 ? (
            <Panel title="Ruled out" subtitle="✓ too small to be the cause">
              <RuledOut looked={looked} />
            </Panel>
          ) : null}
          {advice.length > 0 ? (
            <Panel title="Fix to try">
              <FixToTry advice={advice} />
            </Panel>
          ) : null}
          <SimilarRuns />
        </div>
      </Grid>
    </div>
  );
}
