import { useComputed } from '@preact/signals';
import { coreTimePart, duration, percent } from '../../plot/format';
import { embedded } from '../../state/embed';
import { currentFinding, type Finding, openFinding } from '../../state/finding';
import { here } from '../../state/link';
import { formatPermalink } from '../../state/permalink';
import { activeRunId } from '../../state/runs';
import { viewTitle } from '../../state/view';
import { Explained } from '../../ui/Explained';
import { SeverityChip } from '../common/SeverityChip';
import { selectionText } from '../common/selectionText';
import { factTablesId } from './factGroups';

export interface FindingRowProps {
  finding: Finding;
  /** what the run had [core-s]; NaN when unknown */
  available: number;
}

/** One finding: its severity, the claim, the evidence, the possible saving, where to see it. */
export function FindingRow({ finding, available }: FindingRowProps) {
  const now = currentFinding.value;
  // all else stays as it is: the run, its processor, the filter, the looks of that view
  const href = useComputed(() =>
    formatPermalink({ ...here.value, view: finding.view, finding: finding.key }),
  );
  const current = now?.run === activeRunId.value && now?.finding.row === finding.row;
  return (
    <li
      class={current ? 'finding finding-current' : 'finding'}
      data-testid={`finding-${finding.row}`}
    >
      <SeverityChip severity={finding.severity} />
      <div class="finding-claim">
        <h3 class="finding-title">{withUnits(finding.title)}</h3>
        {embedded.value ? null : <p>{withUnits(finding.evidence)}</p>}
      </div>
      <Stake finding={finding} available={available} />
      <a
        href={href.value}
        class="finding-link"
        data-testid={`finding-link-${finding.row}`}
        onClick={(event) => {
          event.preventDefault();
          openFinding(finding);
          if (finding.view !== 'summary') return;
          const numbers = document.getElementById(factTablesId);
          if (numbers instanceof HTMLDetailsElement) numbers.open = true;
          numbers?.scrollIntoView({ block: 'start' });
        }}
      >
        {linkText(finding)}&#8201;›
      </a>
    </li>
  );
}

/** A number stays on the line of its unit. */
const withUnits = (text: string): string => text.replace(/(\d) /g, '$1\u00a0');

function linkText(finding: Finding): string {
  if (finding.view === 'summary') return 'All numbers';
  const where = selectionText(finding.selection);
  return where ? `${viewTitle(finding.view)}: ${where}` : viewTitle(finding.view);
}

function Stake({ finding, available }: FindingRowProps) {
  const { gain_core_seconds: gain, gain_elapsed: gainElapsed } = finding;
  if (!Number.isFinite(gain)) {
    return (
      <div class="stake">
        <Explained
          content={() => 'Its cost in core time is unknown, or other findings already count it.'}
        >
          <span class="muted">saving unknown</span>
        </Explained>
      </div>
    );
  }
  const share = gain / available;
  const part = coreTimePart(gain);
  const explain = () => (
    <>
      <div>
        Possible saving: {part.value}&#8201;{part.unit}
        {Number.isFinite(share) ? `, ${percent(share)} of the core time available` : ''}.
      </div>
      {Number.isFinite(gainElapsed) ? (
        <div>Spread over all cores: {duration(gainElapsed)}.</div>
      ) : null}
      <div class="muted">Upper bound on the saving. Savings overlap; don’t add them up.</div>
    </>
  );
  return (
    <div class="stake">
      <Explained content={explain}>
        {embedded.value && Number.isFinite(share) ? (
          <b>{percent(share)}</b>
        ) : (
          <>
            <b>{part.value}</b>
            <span class="muted">
              &#8201;{part.unit}
              {Number.isFinite(share) ? ` · ${percent(share)}` : ''}
            </span>
          </>
        )}
      </Explained>
      {Number.isFinite(share) ? (
        <div class="stake-bar" aria-hidden="true">
          <div style={{ width: `${Math.min(1, share) * 100}%` }} />
        </div>
      ) : null}
    </div>
  );
}
