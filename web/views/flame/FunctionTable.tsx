import { useMemo } from 'preact/hooks';
import { categoryColour } from '../../domain/categories';
import type { Table } from '../../engine/table';
import { percent } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { DataTable, type TableColumn } from '../../ui/DataTable';
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
    const shares = (column: string) => (place: number) =>
      functions.number(column, at(place)) / functions.total;
    const numeric = (id: string, title: string, minor = false): TableColumn => ({
      id,
      title,
      align: 'right',
      minor,
      order: shares(id),
      cell: (place) =>
        id === 'self' ? (
          <BoundsCell least={shares('self_min')(place)} most={shares('self_max')(place)} />
        ) : (
          <ShareCell share={shares(id)(place)} hatched={id === 'unresolved'} />
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
    if (!brief) list.push(numeric('own', 'Own'));
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
function BoundsCell({ least, most }: { least: number; most: number }) {
  const text = percent(most);
  if (!(most > least) || percent(least) === text) return <ShareCell share={least} />;
  return (
    <span class="share-cell bounds-cell">
      <span class="bounds-bars">
        <span class="share-bar" style={{ width: `${100 * least}%` }} />
        <span class="share-bar share-bar-hatched" style={{ width: `${100 * (most - least)}%` }} />
      </span>
      {percent(least)} – {text}
    </span>
  );
}

function ShareCell({ share, hatched = false }: { share: number; hatched?: boolean }) {
  if (!Number.isFinite(share)) return <>–</>;
  return (
    <span class="share-cell">
      <span
        class={hatched ? 'share-bar share-bar-hatched' : 'share-bar'}
        style={{ width: `${100 * share}%`, visibility: share > 0 ? 'visible' : 'hidden' }}
      />
      {percent(share)}
    </span>
  );
}
