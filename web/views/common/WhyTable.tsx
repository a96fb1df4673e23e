import type { ComponentChildren } from 'preact';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { count, percent, significant } from '../../plot/format';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { shortPath } from './PathText';

interface WhyTableProps {
  table: Table<'why'> | undefined;
  /** so many features at most */
  most: number;
}

const columns: readonly (readonly [title: string, cell: (row: Row<'why'>) => ComponentChildren])[] =
  [
    ['What differs', ({ feature }) => feature],
    [
      'explains',
      ({ explained }) => (
        <>
          <span class="why-bar">
            <i style={{ width: `${100 * (explained || 0)}%` }} />
          </span>
          {percent(explained)}
        </>
      ),
    ],
    ['over-represented', ({ value }) => <span title={value}>{shortPath(value)}</span>],
    ['selected of all', ({ selected, of_all }) => `${count(selected)} of ${count(of_all)}`],
    ['times expected', ({ lift }) => `× ${significant(lift, 2)}`],
    ['still significant at the same time?', thenText],
  ];

/** What sets the selected chunks apart from the others, feature by feature; chance is grey. */
export function WhyTable({ table, most }: WhyTableProps) {
  const rows = rowsOf(table).slice(0, most);
  return (
    <>
      <p class="why-verdict" data-testid="why-verdict">
        {table ? (table.notes.verdict ?? table.notes.missing) : '\u00a0'}
      </p>
      {rows.length > 0 ? (
        <DataTable
          columns={columns.map(
            ([title, cell]): TableColumn => ({
              id: title,
              title,
              align: 'left',
              cell: (at) => rows[at] && cell(rows[at]),
            }),
          )}
          rows={rows.length}
          rowClass={(at) => (rows[at]?.significant ? '' : 'muted')}
          label="What sets these chunks apart"
          testId="why-table"
        />
      ) : null}
    </>
  );
}

/** Whether it still matters among chunks that began at about the same time. */
function thenText({ significant: said, p_value_then, significant_then }: Row<'why'>): string {
  if (said !== 1) return 'not significant';
  if (!Number.isFinite(p_value_then)) return '–';
  return significant_then === 1 ? 'yes' : 'no';
}
