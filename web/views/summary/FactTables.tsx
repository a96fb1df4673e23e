import { partsText } from '../../charts/format';
import { tooltipOn } from '../../charts/tooltip';
import type { Answer } from '../../state/answers';
import { FactTooltip } from '../common/FactTooltip';
import { differs, type Fact, factParts, factsOf, factText } from '../common/facts';
import { noteText, Panel } from '../common/Panel';
import { groupFacts } from './factGroups';

/** roastcoffea's six tables. */
export function FactTables({ answer }: { answer: Answer }) {
  const facts = answer.table ? factsOf(answer.table) : [];
  const selectionNote = noteText(answer, 'selection');
  return (
    <div class="summary-tables">
      {groupFacts(facts).map((group) => (
        <Panel key={group.id} title={group.title} testId={`facts-${group.id}`} subtitle={group.id === 'fine' ? selectionNote : ''}>
          <table class="fact-table">
            <tbody>
              {group.facts.map((fact) => (
                <FactRow key={fact.id} fact={fact} />
              ))}
            </tbody>
          </table>
        </Panel>
      ))}
    </div>
  );
}

function FactRow({ fact }: { fact: Fact }) {
  const known = Number.isFinite(fact.value);
  return (
    <tr data-testid={`summary-row-${fact.id}`}>
      <th scope="row">
        <span tabIndex={0} {...tooltipOn(() => <FactTooltip fact={fact} />)}>
          {fact.label}
        </span>
      </th>
      <td title={known ? '' : fact.note}>
        {known ? factText(fact) : <span class="missing">not recorded</span>}
        {differs(fact) ? <span class="stored">stored: {partsText(factParts(fact, fact.stored))}</span> : null}
      </td>
    </tr>
  );
}
