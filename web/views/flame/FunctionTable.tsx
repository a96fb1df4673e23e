import { useMemo } from 'preact/hooks';
import { categoryColour } from '../../domain/categories';
import type { Table } from '../../engine/table';
import { percent } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { type Amounts, boxText, boxUnit, shareText } from '../common/flame/amounts';
import type { FunctionRows } from '../common/flame/functionRows';
import { PathText, shortPath } from '../common/PathText';

export interface FunctionTableProps {
  functions: FunctionRows;
  /** shares by worker of the same functions (question `worker_frames`) */
  spread?: Table | undefined;
  /** only functions whose text matches; all when absent */
  only?: ((row: number) => boolean) | undefined;
  onRow: (row: number) => void;
  selectedRow?: number | undefined;
  maxHeight: number;
  /** name and the most telling numbers only */
  brief?: boolean;
  sortedBy?: string;
}

/** What each function took: your own first, then by self time. */
export function FunctionTable(props: FunctionTableProps) {
  const {
    functions,
    spread,
    only,
    onRow,
    selectedRow,
    maxHeight,
    brief = false,
    sortedBy = 'own',
  } = props;
  const rows = useMemo(
    () =>
      Array.from({ length: functions.table.rows }, (_, row) => row).filter(
        (row) => !only || only(row),
      ),
    [functions, only],
  );
  const at = (place: number) => rows[place] ?? 0;
  const columns = useMemo<TableColumn[]>(() => {
    const { amounts } = functions;
    const amount = (column: string) => (place: number) => functions.number(column, at(place));
    const unit = boxUnit(amounts);
    const numeric = (id: string, title: string): TableColumn => ({
      id,
      title: unit ? `${title} (${unit})` : title,
      align: 'right',
      order: amount(id),
      cell: (place) =>
        id === 'self' ? (
          <BoundsCell
            of={amounts}
            least={amount('self_min')(place)}
            most={amount('self_max')(place)}
          />
        ) : (
          <AmountCell of={amounts} amount={amount(id)(place)} hatched={id === 'unresolved'} />
        ),
      explain: () => functions.table.column(id).formula,
    });
    const spreadRow = (place: number) => {
      const frame = functions.number('frame', at(place));
      return spread?.has('frame') ? spread.numbers('frame').indexOf(frame) : -1;
    };
    const list: TableColumn[] = [
      {
        id: 'name',
        title: 'Function',
        align: 'left',
        className: brief ? 'cut function-name function-name-brief' : 'cut function-name',
        order: (place) => functions.name(at(place)),
        cell: (place) => (
          <span title={`${functions.name(at(place))} ${functions.place(at(place))}`}>
            <Swatch colour={categoryColour(functions.category(at(place)))} />{' '}
            {functions.name(at(place))}{' '}
            {brief ? <span class="muted">{shortPath(functions.place(at(place)))}</span> : null}
          </span>
        ),
      },
    ];
    if (!brief) {
      list.push({
        id: 'file',
        title: 'File',
        align: 'left',
        minor: true,
        className: 'cut function-file mono',
        order: (place) => functions.place(at(place)),
        cell: (place) => <PathText path={functions.place(at(place))} />,
      });
    }
    if (!brief) list.push(numeric('own', 'Own, sampled'));
    list.push(numeric('total', 'Total'), numeric('self', 'Self'));
    // an estimate leaves nothing unresolved
    const isResolved =
      !functions.table.has('unresolved') ||
      functions.table.numbers('unresolved').every((value) => value === 0);
    if (spread && !isResolved) list.push(numeric('unresolved', 'Unresolved'));
    if (spread?.has('min') && !brief) {
      list.push({
        id: 'spread',
        title: 'By worker',
        align: 'right',
        minor: true,
        order: (place) =>
          spreadRow(place) >= 0 ? spread.number('range', spreadRow(place)) : Number.NaN,
        cell: (place) => {
          const row = spreadRow(place);
          if (row < 0) return '–';
          return (
            <span
              title={`minimum: ${spread.text('lowest', row)}, maximum: ${spread.text('highest', row)}`}
            >
              {percent(spread.number('min', row))} – {percent(spread.number('max', row))}
            </span>
          );
        },
        explain: () =>
          'Total as a share of each worker’s own samples: minimum and maximum over workers',
      });
    }
    return list;
  }, [functions, spread, brief, rows]);
  return (
    <DataTable
      columns={columns}
      rows={rows.length}
      label="Functions"
      sortedBy={sortedBy}
      descending
      maxHeight={maxHeight}
      selectedRow={selectedRow === undefined ? undefined : rows.indexOf(selectedRow)}
      onRow={(place) => onRow(at(place))}
      testId="function-table"
    />
  );
}

/** What is certain solid, what is possible hatched after it: of guesses nobody reads a number. */
function BoundsCell({ of, least, most }: { of: Amounts; least: number; most: number }) {
  const [from, to] = [boxText(of, least), boxText(of, most)];
  if (!(most > least) || from === to) return <AmountCell of={of} amount={least} />;
  return (
    <span class="share-cell bounds-cell">
      <span class="bounds-bars">
        <ShareBar share={least / of.total} />
        <ShareBar share={(most - least) / of.total} hatched />
      </span>
      {from} to {to}
    </span>
  );
}

interface AmountCellProps {
  of: Amounts;
  amount: number;
  hatched?: boolean;
}

function AmountCell({ of, amount, hatched = false }: AmountCellProps) {
  if (!Number.isFinite(amount)) return <>–</>;
  return (
    <span class="share-cell" title={shareText(of, amount)}>
      <ShareBar share={amount / of.total} hatched={hatched} />
      {boxText(of, amount)}
    </span>
  );
}

const ShareBar = ({ share, hatched = false }: { share: number; hatched?: boolean }) => (
  <span
    class={hatched ? 'share-bar hatched' : 'share-bar'}
    style={{ width: `${100 * share}%`, visibility: share > 0 ? 'visible' : 'hidden' }}
  />
);
