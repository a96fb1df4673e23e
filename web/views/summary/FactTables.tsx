import { differs, type Fact, factParts, factText } from '../../domain/facts';
import { rowsOf } from '../../engine/table';
import { partsText } from '../../plot/format';
import type { Answer } from '../../state/answers';
import { isFiltered } from '../../state/selection';
import { Explained } from '../../ui/Explained';
import { FactTooltip } from '../common/FactTooltip';
import { Panel } from '../common/Panel';
import { WholeRun } from '../common/WholeRun';
import { groupFacts } from './factGroups';

export interface FactTablesProps {
  answer: Answer;
  /** ids of the groups to show */
  groups: readonly string[];
  /** only those whose name or formula holds it */
  search?: string;
}

/** Some of roastcoffea's six tables. */
export function FactTables({ answer, groups, search = '' }: FactTablesProps) {
  const wanted = search.trim().toLowerCase();
  const facts = rowsOf(answer.table).filter(
    (fact) => wanted === '' || `${fact.label} ${fact.id}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {groupFacts(facts)
        .filter((group) => groups.includes(group.id))
        .map((group) => (
          <Panel
            className="span-12 half"
            key={group.id}
            title={group.title}
            testId={`facts-${group.id}`}
            data={answer.table}
            name={`summary-${group.id}`}
          >
            <table class="fact-table">
              <tbody>
                {group.facts.map((fact) => (
                  <FactRow key={fact.id} fact={fact} />
                ))}
              </tbody>
            </table>
          </Panel>
        ))}
    </>
  );
}

function FactRow({ fact }: { fact: Fact }) {
  const known = Number.isFinite(fact.value);
  return (
    <tr data-testid={`summary-row-${fact.id}`}>
      <th scope="row">
        <Explained content={() => <FactTooltip fact={fact} />}>{fact.label}</Explained>
      </th>
      <td title={known ? '' : fact.note}>
        {fact.whole_run === 1 ? <WholeRun /> : null}{' '}
        {known ? factText(fact) : <span class="missing">not recorded</span>}
        {!isFiltered.value && differs(fact) ? (
          <span class="stored">stored: {partsText(factParts(fact, fact.stored))}</span>
        ) : null}
      </td>
    </tr>
  );
}
