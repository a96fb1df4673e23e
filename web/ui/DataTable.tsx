import type { ComponentChild, ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from './Button';
import { ownKeys } from './keys';
import { useMadeOf } from './madeOf';
import { tooltipOn } from './tooltip';

export interface TableColumn {
  id: string;
  title: string;
  /** numbers stand right, text left */
  align: 'left' | 'right';
  cell: (row: number) => ComponentChildren;
  /** what the column is sorted by; a column without it cannot be sorted */
  order?: ((row: number) => number | string) | undefined;
  /** shown on hover of the header */
  explain?: (() => ComponentChildren) | undefined;
  /** leaves first when there is no room */
  minor?: boolean | undefined;
  className?: string | undefined;
}

export interface DataTableProps {
  columns: readonly TableColumn[];
  rows: number;
  label: string;
  sortedBy?: string | undefined;
  /** true = largest first */
  descending?: boolean | undefined;
  /** the table scrolls inside itself beyond this height [px] */
  maxHeight?: number | undefined;
  /** rows that are shown; undefined = all */
  keep?: ((row: number) => boolean) | undefined;
  selectedRow?: number | undefined;
  /** a class of the row: what it is beside the others */
  rowClass?: ((row: number) => string) | undefined;
  /** a click on a row, Enter or the space bar; the arrow keys go from row to row */
  onRow?: ((row: number) => void) | undefined;
  /** the row under the pointer */
  onHover?: ((row: number | undefined) => void) | undefined;
  testId?: string | undefined;
}

const classOf = ({ align, minor, className = '' }: TableColumn) =>
  `${align} ${minor ? 'minor' : ''} ${className}`;

const rowHeight = 24;
const virtualisedFrom = 200;

/** A sortable table; long ones make only the rows that can be seen, and none out of sight. */
export function DataTable(props: DataTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const long = props.rows > virtualisedFrom;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !long) return;
    const tell = (entries: IntersectionObserverEntry[]) =>
      setAway(entries.at(-1)?.isIntersecting === false);
    const sight = new IntersectionObserver(tell, {
      root: element.closest('main'),
      rootMargin: '300px',
    });
    sight.observe(element);
    return () => sight.disconnect();
  }, [long]);
  const drawn = useRef<ComponentChild>(null);
  if (!(long && away)) drawn.current = <Shown {...props} box={box} />;
  return drawn.current;
}

function Shown({ box, ...props }: DataTableProps & { box: RefObject<HTMLDivElement | null> }) {
  const { label, maxHeight, keep, selectedRow, rowClass, onRow, onHover, testId } = props;
  const [sort, setSort] = useState<{ id: string; descending: boolean }>({
    id: props.sortedBy ?? '',
    descending: props.descending ?? false,
  });
  const [scrolled, setScrolled] = useState(0);
  const columns = useFitting(box, props.columns);
  const sorted = useMadeOf(
    props.columns,
    'order',
    () => sortedRows(props.rows, props.columns, sort.id, sort.descending),
    [props.rows, sort.id, sort.descending],
  );
  const order = useMemo(() => (keep ? sorted.filter(keep) : sorted), [sorted, keep]);
  const rows = order.length;

  const virtual = rows > virtualisedFrom;
  const height = maxHeight ?? 480;
  // fewer rows may be left than had been scrolled past
  const seen = Math.ceil(height / rowHeight);
  const first = Math.min(Math.floor(scrolled / rowHeight), Math.max(0, rows - seen));
  // as much again above and below: the browser scrolls before it asks for new rows
  const begin = virtual ? Math.max(0, first - seen) : 0;
  const end = virtual ? Math.min(rows, first + 2 * seen) : rows;

  // one stop for Tab among the rows: where the user was last, else what is selected, else what is
  // seen first
  const [stop, setStop] = useState<number | undefined>(undefined);
  const selectedPlace = useMemo(
    () => (onRow && selectedRow !== undefined ? order.indexOf(selectedRow) : -1),
    [onRow !== undefined, order, selectedRow],
  );
  const wanted = stop ?? (selectedPlace >= 0 ? selectedPlace : first);
  const tabStop = Math.max(begin, Math.min(wanted, end - 1));
  const walked = useRef(false);
  useLayoutEffect(() => {
    if (!walked.current) return;
    walked.current = false;
    box.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${tabStop + 2}"]`)?.focus();
  }, [tabStop]);
  const walkTo = (place: number) => {
    const next = Math.max(0, Math.min(place, rows - 1));
    const table = box.current;
    // what is not made yet cannot have the focus
    if (virtual && table && (next < begin || next >= end)) {
      table.scrollTop = next * rowHeight - height / 2;
      setScrolled(table.scrollTop);
    }
    walked.current = true;
    setStop(next);
  };
  const rowKeys = (row: number, place: number) => {
    const onIt = (act: () => void) => (event: KeyboardEvent) => {
      // what stands in the row has keys of its own
      if (event.target !== event.currentTarget) return false;
      act();
      return true;
    };
    const press = onIt(() => onRow?.(row));
    return ownKeys({
      Enter: press,
      ' ': press,
      ArrowDown: onIt(() => walkTo(place + 1)),
      ArrowUp: onIt(() => walkTo(place - 1)),
      PageDown: onIt(() => walkTo(place + seen - 2)),
      PageUp: onIt(() => walkTo(place - seen + 2)),
      Home: onIt(() => walkTo(0)),
      End: onIt(() => walkTo(rows - 1)),
    });
  };

  const press = (column: TableColumn) => {
    if (!column.order) return;
    const first = column.align === 'right';
    setSort(({ id, descending }) => ({
      id: column.id,
      descending: id === column.id ? !descending : first,
    }));
  };

  return (
    <div
      ref={box}
      class="table-box"
      style={{
        ...(maxHeight || virtual ? { maxHeight: `${height}px` } : {}),
        // as high as that, which need not be laid out to be known
        ...(virtual ? { contentVisibility: 'auto', containIntrinsicHeight: `${height}px` } : {}),
      }}
      onScroll={virtual ? () => setScrolled(box.current?.scrollTop ?? 0) : undefined}
    >
      <table
        class="data-table small"
        data-testid={testId}
        aria-label={label}
        aria-rowcount={rows + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                class={classOf(column)}
                aria-sort={
                  sort.id === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined
                }
              >
                {column.order ? (
                  <Button
                    class="sort-button"
                    onClick={() => press(column)}
                    {...(column.explain ? tooltipOn(column.explain) : {})}
                  >
                    <span class={column.explain ? 'explained' : ''}>{column.title}</span>
                    {sort.id === column.id ? (sort.descending ? ' ↓' : ' ↑') : ''}
                  </Button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {virtual ? <SpacerRow height={begin * rowHeight} columns={columns.length} /> : null}
          {Array.from(order.subarray(begin, end), (row, index) => (
            <tr
              key={row}
              class={`${row === selectedRow ? 'selected' : ''} ${onRow ? 'row-button' : ''} ${rowClass?.(row) ?? ''}`}
              aria-rowindex={begin + index + 2}
              aria-current={row === selectedRow ? true : undefined}
              tabIndex={onRow && (begin + index === tabStop ? 0 : -1)}
              onClick={onRow && (() => onRow(row))}
              onKeyDown={onRow && rowKeys(row, begin + index)}
              onFocus={onRow && (() => setStop(begin + index))}
              onPointerEnter={onHover && (() => onHover(row))}
              onPointerLeave={onHover && (() => onHover(undefined))}
              data-row={row}
            >
              {columns.map((column) => (
                <td key={column.id} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {virtual ? (
            <SpacerRow height={(rows - end) * rowHeight} columns={columns.length} />
          ) : null}
        </tbody>
      </table>
    </div>
  );
}

/** The columns that find room: of the minor ones the last leave first. */
function useFitting(
  box: RefObject<HTMLElement | null>,
  columns: readonly TableColumn[],
): readonly TableColumn[] {
  const [left, setLeft] = useState('');
  const ids = columns.map(({ id }) => id).join();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    let widths: number[] = [];
    const fit = () => {
      const heads = [...element.querySelectorAll('th')].map((head) => head.offsetWidth);
      // as wide as they have to be only where not all find room
      if (heads.length === columns.length && element.scrollWidth > element.clientWidth)
        widths = heads;
      let over = widths.reduce((sum, width) => sum + width, 0) - element.clientWidth;
      const leaving = columns.toReversed().filter(({ id, minor }) => {
        const leaves = minor === true && over > 0;
        if (leaves) over -= widths[columns.findIndex((column) => column.id === id)] ?? 0;
        return leaves;
      });
      setLeft(leaving.map(({ id }) => id).join());
    };
    setLeft('');
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    // what was out of sight had no width
    element.addEventListener('contentvisibilityautostatechange', fit);
    return () => {
      observer.disconnect();
      element.removeEventListener('contentvisibilityautostatechange', fit);
    };
  }, [ids]);
  return left ? columns.filter(({ id }) => !left.split(',').includes(id)) : columns;
}

function SpacerRow({ height, columns }: { height: number; columns: number }) {
  return (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  );
}

const isMissing = (key: number | string | undefined) =>
  key === undefined || key === '' || Number.isNaN(key);
const inNumericOrder = new Intl.Collator('en', { numeric: true });

/**
 * Numbers as they are; texts as their places among the different ones, so that each is compared as
 * a text only once.
 */
function comparable(keys: readonly (number | string)[]): Float64Array {
  if (!keys.some((key) => typeof key === 'string' && key !== ''))
    return Float64Array.from(keys, Number);
  const texts = [...new Set(keys.map(String))].sort(inNumericOrder.compare);
  let place = 0;
  const places = new Map(
    texts.map((text, index) => {
      if (inNumericOrder.compare(texts[index - 1] ?? text, text) !== 0) place = index;
      return [text, place];
    }),
  );
  return Float64Array.from(keys, (key) => places.get(String(key)) ?? Number.NaN);
}

/**
 * Row numbers in the order of a column; missing values come last either way, equal ones keep their
 * order.
 */
export function sortedRows(
  rows: number,
  columns: readonly TableColumn[],
  id: string,
  descending: boolean,
): Uint32Array {
  const order = Uint32Array.from({ length: rows }, (_, row) => row);
  const key = columns.find((column) => column.id === id)?.order;
  if (!key) return order;
  const keys = Array.from(order, key);
  const values = comparable(keys);
  const sign = descending ? -1 : 1;
  const sorted = order
    .filter((row) => !isMissing(keys[row]))
    .sort((a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
  const missing = order.filter((row) => isMissing(keys[row]));
  order.set(sorted);
  order.set(missing, sorted.length);
  return order;
}
