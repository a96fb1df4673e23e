import { rowsOf, type Table } from '../../engine/table';
import { count, percent, significant } from '../../plot/format';
import { shortPath } from './PathText';

export interface WhyTableProps {
  table: Table<'why'> | undefined;
  /** so many features at most */
  most: number;
}

/** What sets the selected chunks apart from the others, feature by feature; chance is grey. */
export function WhyTable({ table, most }: WhyTableProps) {
  const verdict = table?.notes.verdict;
  return (
    <>
      <p class="why-verdict" data-testid="why-verdict">
        {table ? (verdict ?? table.notes.missing) : '\u00a0'}
      </p>
      {table && table.rows > 0 ? (
        <table class="why-table" data-testid="why-table">
          <thead>
            <tr>
              <th scope="col">What differs</th>
              <th scope="col">explains</th>
              <th scope="col">over-represented</th>
              <th scope="col">selected of all</th>
              <th scope="col">times expected</th>
              <th scope="col">still significant at the same time?</th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(table)
              .slice(0, most)
              .map((row) => (
                <tr key={row.feature} class={row.significant ? '' : 'muted'}>
                  <th scope="row">{row.feature}</th>
                  <td>
                    <span class="why-bar">
                      <i style={{ width: `${100 * (row.explained || 0)}%` }} />
                    </span>
                    {percent(row.explained)}
                  </td>
                  <td title={row.value}>{shortPath(row.value)}</td>
                  <td>
                    {count(row.selected)} of {count(row.of_all)}
                  </td>
                  <td>× {significant(row.lift, 2)}</td>
                  <td>
                    {thenText(row.significant === 1, row.p_value_then, row.significant_then === 1)}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      ) : null}
    </>
  );
}

/** Whether it still matters among chunks that began at about the same time. */
function thenText(significant: boolean, pThen: number, significantThen: boolean): string {
  if (!significant) return 'not significant';
  if (!Number.isFinite(pThen)) return '–';
  return significantThen ? 'yes' : 'no';
}
