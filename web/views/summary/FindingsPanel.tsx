import { useState } from 'preact/hooks';
import { factOf } from '../../domain/facts';
import { count } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { embedded } from '../../state/embed';
import { findingOrder, findingsOf, ordered } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { setter } from '../../state/setter';
import { noteText, Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';
import { Snippet } from '../common/Snippet';
import { FindingRow } from './FindingRow';
import { RulesChecked } from './RulesChecked';

const shownAtMost = 8;

const orders = [
  { id: 'stake', title: 'By saving' },
  { id: 'severity', title: 'By severity' },
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
      ? 'ranked by possible saving; savings overlap, don’t add them up'
      : 'most serious first';
  const subtitle = [
    findings.length === 1 ? '1' : '',
    findings.length > 1 ? `${count(findings.length)}, ${embedded.value ? 'ranked' : rank}` : '',
    isFiltered.value && 'whole run; filter not applied',
    noteText(answer, 'few_chunks'),
  ];
  return (
    <Panel
      title="Findings"
      subtitle={subtitle.filter(Boolean).join(' · ')}
      answers={[answer]}
      data={table}
      testId="findings"
      className="findings stretch"
      actions={
        findings.length > 1 && !embedded.value ? (
          <Segmented
            name="order"
            label="Ranked by"
            options={orders}
            value={findingOrder.value}
            onChange={setter(findingOrder)}
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
          <p class="muted">Suggested settings (paste after creating the runner):</p>
          <Snippet code={noteText(advice, 'code')} />
        </div>
      ) : null}
      {findings.length > shownAtMost ? (
        <button type="button" class="link" data-testid="all-findings" onClick={() => setAll(!all)}>
          {all ? `The first ${shownAtMost}` : `All ${count(findings.length)} findings ›`}
        </button>
      ) : null}
      {table && !(embedded.value && findings.length > 0) ? (
        <RulesChecked run={run} findings={findings} />
      ) : null}
    </Panel>
  );
}
