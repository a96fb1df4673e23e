import { useState } from 'preact/hooks';
import { factOf } from '../../domain/facts';
import { count } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { embedded } from '../../state/embed';
import { findingOrder, findingsOf, ordered } from '../../state/finding';
import { into } from '../../state/into';
import { activeRunId } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';
import { Snippet } from '../common/Snippet';
import { FindingRow } from './FindingRow';
import { RulesChecked } from './RulesChecked';

const shownAtMost = 8;
/** with no more there is room to say what else was looked at */
const fewFindings = 2;

const orders = [
  { id: 'stake', title: 'At stake' },
  { id: 'severity', title: 'Severity' },
] as const;

/** What is worth fixing, with the evidence and where to look. */
export function FindingsPanel() {
  const run = activeRunId.value;
  const answer = useAnswer(run, 'findings');
  const advice = useAnswer(run, 'advice');
  const summary = useAnswer(run, 'summary').table;
  const [all, setAll] = useState(false);
  const { table } = answer;
  const findings = table ? ordered(findingsOf(table), findingOrder.value) : [];
  const shown = all ? findings : findings.slice(0, shownAtMost);
  const available =
    (summary ? factOf(summary, 'core_seconds_available')?.value : undefined) ?? Number.NaN;
  const rank =
    findingOrder.value === 'stake'
      ? 'ranked by core-time at stake; stakes overlap, do not add them'
      : 'most serious first';
  const subtitle = [
    findings.length === 1 ? '1' : '',
    findings.length > 1 ? `${count(findings.length)}, ${embedded.value ? 'ranked' : rank}` : '',
    isFiltered.value && 'of the whole run: the filter does not narrow them',
    noteText(answer, 'few_chunks'),
  ];
  return (
    <Panel
      title="Findings"
      subtitle={subtitle.filter(Boolean).join(' · ')}
      answers={[answer]}
      twin={table}
      testId="findings"
      className="findings stretch"
      actions={
        findings.length > 1 && !embedded.value ? (
          <Segmented
            name="order"
            label="Ranked by"
            options={orders}
            value={findingOrder.value}
            onChange={into(findingOrder)}
          />
        ) : null
      }
    >
      <ul class={embedded.value ? 'finding-list finding-short' : 'finding-list'}>
        {shown.map((finding) => (
          <FindingRow key={finding.row} finding={finding} available={available} />
        ))}
      </ul>
      {noteText(advice, 'code') && !embedded.value ? (
        <div class="advised" data-testid="advice">
          <p class="muted">To paste after the runner is created:</p>
          <Snippet code={noteText(advice, 'code')} />
        </div>
      ) : null}
      {table && findings.length <= (embedded.value ? 0 : fewFindings) ? (
        <RulesChecked run={run} others={table.rows > 0} />
      ) : null}
      {findings.length > shownAtMost ? (
        <button type="button" class="link" data-testid="all-findings" onClick={() => setAll(!all)}>
          {all ? `The first ${shownAtMost}` : `All ${count(findings.length)} findings ›`}
        </button>
      ) : null}
    </Panel>
  );
}
