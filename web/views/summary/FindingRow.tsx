import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Row } from '../../engine/table';
import { coreTime, duration, listed, unbroken } from '../../plot/format';
import { embedded } from '../../state/embed';
import {
  currentFinding,
  type Finding,
  hasPicture,
  isFact,
  openFinding,
  showFinding,
} from '../../state/finding';
import { here } from '../../state/link';
import { formatPermalink } from '../../state/permalink';
import { activeRunId } from '../../state/runs';
import { viewTitle } from '../../state/view';
import { Button } from '../../ui/Button';
import { Chevron } from '../../ui/Chevron';
import { Explained } from '../../ui/Explained';
import { FixToTry } from '../common/FixToTry';
import { SeverityChip } from '../common/SeverityChip';
import { useRuledOut } from './RuledOut';

export interface FindingRowProps {
  finding: Finding;
  /** where the common axis of savings ends [s] */
  most: number;
  /** settings that it supports */
  advice: readonly Row<'advice'>[];
  open: boolean;
}

/** One finding: its severity, the claim, the possible saving, the way to its picture. */
export function FindingRow({ finding, most, advice, open }: FindingRowProps) {
  const now = currentFinding.value;
  const [chosen, setOpen] = useState<boolean | undefined>(undefined);
  // all else stays as it is: the run, its processor, the filter, the looks of that view
  const fact = isFact(finding);
  const hasPage = hasPicture(finding);
  const href = useComputed(() =>
    formatPermalink({
      ...here.value,
      view: hasPage ? 'summary' : finding.view,
      finding: finding.key,
    }),
  );
  const current = now?.run === activeRunId.value && now?.finding.row === finding.row;
  const shown = (chosen ?? open) && !embedded.value;
  return (
    <li
      class={listed(['finding', current && 'finding-current', shown && 'finding-open'], ' ')}
      data-testid={`finding-${finding.row}`}
    >
      <Button
        class="finding-fold"
        aria-expanded={shown}
        aria-label={`More on: ${finding.title}`}
        onClick={() => setOpen(!shown)}
      >
        <Chevron />
      </Button>
      <i class={`finding-dot ${fact ? 'fact' : finding.severity}`} aria-hidden="true" />
      <div class="finding-claim">
        <h3 class="finding-title">{unbroken(finding.title)}</h3>{' '}
        {fact ? null : <SeverityChip severity={finding.severity} />}
        {shown ? <p class="evidence">{unbroken(finding.evidence)}</p> : null}
        {shown ? <ExcludedHere finding={finding} /> : null}
        {shown && advice.length > 0 ? (
          <>
            <b>Fix to try</b>
            <FixToTry advice={advice} />
          </>
        ) : null}
      </div>
      {fact ? (
        <p class="finding-fact muted">the analysis’s own code</p>
      ) : (
        <Saving finding={finding} most={most} />
      )}
      <a
        href={href.value}
        class="finding-link"
        data-testid={`finding-link-${finding.row}`}
        onClick={(event) => {
          event.preventDefault();
          if (hasPage) showFinding(finding);
          else openFinding(finding);
        }}
      >
        {hasPage ? 'Show me' : viewTitle(finding.view)}&#8201;›
      </a>
    </li>
  );
}

/** In a line: the amounts stand on its page. */
function ExcludedHere({ finding }: { finding: Finding }) {
  const excluded = useRuledOut(finding).filter(({ state }) => state === 'ruled out');
  return excluded.length > 0 ? (
    <p class="muted" data-testid="excluded">
      <b>Ruled out:</b> {excluded.map(({ label }) => label).join(', ')}.
    </p>
  ) : null;
}

/** What is said of a cost of which no saving is known, and what that means. */
function saidOfCost(cost: number): [said: string, meaning: string] {
  if (cost === 0) return ['costs no time', 'Nothing took longer for it.'];
  return Number.isFinite(cost)
    ? [
        `cost ${coreTime(cost)}`,
        'The core time spent there. How much of it a fixed run still needs is unknown.',
      ]
    : ['saving not known', 'Its cost in core time is unknown, or other findings already count it.'];
}

/** The elapsed time that the run could have been shorter, on the axis that all findings share. */
function Saving({ finding, most }: Pick<FindingRowProps, 'finding' | 'most'>) {
  const gain = finding.gain_elapsed;
  if (!Number.isFinite(gain)) {
    const [said, meaning] = saidOfCost(finding.core_seconds);
    return (
      <p class="finding-fact muted">
        <Explained content={() => meaning}>{said}</Explained>
      </p>
    );
  }
  const explain = () =>
    'The recorded chunks replayed without it: an upper bound. Savings overlap; don’t add them up.';
  return (
    <>
      <span class="saving-lane" aria-hidden="true">
        <i style={{ width: `${(100 * gain) / most}%` }} />
      </span>
      <span class="saving">
        <Explained content={explain}>
          up to <b>{duration(gain)}</b>
        </Explained>
      </span>
    </>
  );
}
