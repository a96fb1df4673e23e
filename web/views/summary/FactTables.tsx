import { groups } from 'd3-array';
import { differs, type Fact, factParts, factText } from '../../domain/facts';
import { rowsOf } from '../../engine/table';
import { partsText } from '../../plot/format';
import type { Answer } from '../../state/answers';
import { absentText } from '../../state/runs';
import { isFiltered } from '../../state/selection';
import { Explained } from '../../ui/Explained';
import { FactTooltip } from '../common/FactTooltip';
import { Panel } from '../common/Panel';
import { WholeRun } from '../common/WholeRun';

export interface FactTablesProps {
  /** of `summary` */
  answer: Answer<'summary'>;
  /** only those whose name or id holds it */
  search: string;
}

/** Every headline number, in the tables that roastcoffea prints and those that explain them. */
export function FactTables({ answer, search }: FactTablesProps) {
  const wanted = search.trim().toLowerCase();
  const facts = rowsOf(answer.table).filter((fact) =>
    `${fact.label} ${fact.id}`.toLowerCase().includes(wanted),
  );
  return (
    <Panel title="Headline numbers" answer={answer} name="summary">
      <div class="fact-groups">
        {groups(facts, (fact) => fact.group).map(([title, of]) => (
          <section key={title}>
            <h3>{title}</h3>
            <table class="fact-table small">
              <tbody>
                {of.map((fact) => (
                  <FactRow key={fact.id} fact={fact} />
                ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
    </Panel>
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
        {known ? factText(fact) : <span class="missing">{absentText}</span>}
        {!isFiltered.value && differs(fact) ? (
          <span class="stored">stored: {partsText(factParts(fact, fact.stored))}</span>
        ) : null}
      </td>
    </tr>
  );
}
