import { useState } from 'preact/hooks';
import { checksOf } from '../../domain/checks';
import { rowsOf } from '../../engine/table';
import { count, listed, withUnit } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { axisTicks, roundedUp } from '../../plot/scales';
import { embedded } from '../../state/embed';
import { type Finding, faultsOf, findingsOf, ranked } from '../../state/finding';
import { soFar } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { Sign } from '../../ui/Sign';
import { noteText, Panel } from '../common/Panel';
import { FindingRow } from './FindingRow';

const shownAtMost = 5;

/** What is worth fixing, each with its saving on one axis and the way to its picture. */
export function FindingsPanel() {
  const answer = useAnswer('findings');
  const advice = rowsOf(useAnswer('advice').table);
  const [all, setAll] = useState(false);
  const { table } = answer;
  const findings = table ? ranked(findingsOf(table)) : [];
  const shown = all ? findings : findings.slice(0, shownAtMost);
  const faults = faultsOf(findings);
  const gains = faults.map(({ gain_elapsed: gain }) => gain).filter(Number.isFinite);
  const most = roundedUp(Math.max(0, largest(gains)));
  const subtitle = [
    faults.length > 0 ? count(faults.length) : '',
    isFiltered.value && 'whole run; filter not applied',
    noteText(answer, 'few_chunks'),
  ];
  return (
    <Panel
      title="Findings"
      subtitle={listed(subtitle)}
      answer={answer}
      testId="findings"
      className="findings"
    >
      {table && faults.length === 0 ? <RulesChecked findings={findings} /> : null}
      {gains.length > 0 && !embedded.value ? <SavingAxis most={most} /> : null}
      <ul class={embedded.value ? 'finding-list finding-short' : 'finding-list'}>
        {shown.map((finding) => (
          <FindingRow
            key={finding.row}
            finding={finding}
            most={most}
            advice={advice.filter(({ finding: id }) => id === finding.id)}
            open={faults.length <= 2 && finding === faults[0]}
          />
        ))}
      </ul>
      {findings.length > shownAtMost ? (
        <Button class="link" data-testid="all-findings" onClick={() => setAll(!all)}>
          {all ? `The first ${shownAtMost}` : `${count(findings.length - shownAtMost)} more ›`}
        </Button>
      ) : null}
      {faults.length > 0 && !embedded.value ? <RulesChecked findings={findings} /> : null}
    </Panel>
  );
}

/** Over the rows: what their bars count in. */
function SavingAxis({ most }: { most: number }) {
  return (
    <div class="finding saving-axis" aria-hidden="true">
      <span class="saving-lane">
        {axisTicks(0, most, 3).map(({ value, label }) => (
          <span key={value} style={{ left: `${(100 * value) / most}%` }}>
            {value > 0 ? withUnit(label, 's') : label}
          </span>
        ))}
      </span>
    </div>
  );
}

/** No finding is an answer too, and so are a few: what else was checked, and what could not be. */
function RulesChecked({ findings }: { findings: readonly Finding[] }) {
  const { table } = useAnswer('rules');
  if (!table) return null;
  const { passed, missing, notRun } = checksOf(table, findings);
  const isNothing = faultsOf(findings).length === 0;
  return (
    <details class="rules-checked" data-testid="rules-checked">
      <summary class="muted">
        {isNothing && notRun === 0 ? (
          <>
            <Sign of="good" />{' '}
          </>
        ) : null}
        {isNothing ? <b>No fault found: </b> : null}
        {count(passed.length)} {isNothing ? '' : 'other '}
        {passed.length === 1 ? 'check' : 'checks'} found nothing
        {notRun > 0 ? `; ${count(notRun)} cannot run` : ''}
      </summary>
      {notRun > 0 ? (
        <p class="muted">
          Not recorded{soFar}: {missing.join(', ')}.
        </p>
      ) : null}
      <ul>
        {passed.map((rule) => (
          <li key={rule.looks_at}>{rule.looks_at}</li>
        ))}
      </ul>
    </details>
  );
}
