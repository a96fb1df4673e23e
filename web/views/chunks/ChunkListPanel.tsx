import { signal } from '@preact/signals';
import { useCallback, useMemo } from 'preact/hooks';
import { useAllChunks, useChunks } from '../../domain/chunks';
import { quantityOf, quantityTitle } from '../../domain/columns';
import { useDatasets } from '../../domain/datasetColours';
import type { Table } from '../../engine/table';
import { count } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { hoveredChunk } from '../../state/hoveredChunk';
import { isFiltered, selection } from '../../state/selection';
import { put, setter } from '../../state/setter';
import type { TableColumn } from '../../ui/DataTable';
import { ownKeys } from '../../ui/keys';
import { useMadeOf } from '../../ui/madeOf';
import {
  AnswerTable,
  markOfFile,
  minor,
  numberColumns,
  perMebibyte,
  textColumn,
} from '../common/columns';
import { noteText, Panel } from '../common/Panel';
import { PathText } from '../common/PathText';
import { chosenChunk } from './ChunkPanel';

/** Kept while one looks at another view. */
const searched = signal('');

/** Every chunk that is selected, or those of them whose names match. */
export function ChunkListPanel() {
  const all = useAllChunks().table;
  const chunks = useChunks(selection.value);
  const { table } = chunks;
  const text = searched.value;
  // of all chunks, so that they are put in order once, however they are narrowed
  const shown = useMemo(() => all && table && rowsShown(all, table, text), [all, table, text]);
  const keep = useCallback((row: number) => shown?.[row] === 1, [shown]);
  const matches = text.trim() ? shown?.reduce((sum, is) => sum + is, 0) : undefined;
  const total = table?.notes.chunks_total;
  const amount = table
    ? `${count(table.rows)}${isFiltered.value && typeof total === 'number' ? ` of ${count(total)}` : ''}`
    : '';
  return (
    <Panel
      title="Chunks"
      className="span-12 deferred"
      testId="chunk-list"
      subtitle={
        noteText(chunks, 'selection') ||
        (matches !== undefined
          ? `${count(matches)} of ${amount} match`
          : amount && `${amount}, longest first`)
      }
      answer={chunks}
      actions={
        <input
          type="search"
          class="table-search"
          aria-label="Search dataset, file or host"
          placeholder="Dataset, file or host"
          data-testid="chunk-search"
          value={text}
          onInput={(event) => {
            searched.value = event.currentTarget.value;
          }}
          onKeyDown={ownKeys({ Escape: put(searched, '') })}
        />
      }
    >
      {all && shown ? <ChunkTable table={all} keep={keep} /> : null}
      {matches === 0 ? (
        <p class="missing">No chunk’s dataset, file or host contains this text.</p>
      ) : null}
    </Panel>
  );
}

/** Which rows of `all` are among the `left` ones and match. */
function rowsShown(all: Table<'chunks'>, left: Table<'chunks'>, text: string): Uint8Array {
  const matching = rowsMatching(all, text);
  const shown = new Uint8Array(all.rows);
  for (const row of left.numbers('chunk')) shown[row] = matching?.[row] ?? 1;
  return shown;
}

/**
 * Which rows have every word of `text` in one of their texts, whatever its case; undefined without
 * a word: all of them.
 */
export function rowsMatching(table: Table, text: string): Uint8Array | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  // a hundred thousand chunks have few distinct texts: each is looked at once
  const strings = table.strings.map((string) => string.toLowerCase());
  const hits = words.map((word) =>
    Uint8Array.from(strings, (string) => (string.includes(word) ? 1 : 0)),
  );
  const columns = table.columns.flatMap((column) => (column.type === 'text' ? [column.texts] : []));
  return Uint8Array.from({ length: table.rows }, (_, row) =>
    hits.every((hit) => columns.some((ids) => hit[ids[row] as number] === 1)) ? 1 : 0,
  );
}

/** Columns that are drawn by name; whatever else an answer has is a metric of the user's own. */
const known = new Set(
  (
    'chunk dataset file host entry_start entry_stop t_start t_end duration events bytes_read memory_before memory_after memory_delta ' +
    'bytes_per_second seconds_per_event memory_delta_per_event branches_accessed accessed_bytes lane outlier early error'
  ).split(' '),
);

interface ChunkTableProps {
  /** an answer to `chunks`, all columns */
  table: Table;
  /** rows that are shown */
  keep: (row: number) => boolean;
}

/** Every chunk, longest first. */
function ChunkTable({ table, keep }: ChunkTableProps) {
  const { colourOf } = useDatasets();
  const makeColumns = (): TableColumn[] => {
    const text = (column: string) => (row: number) => table.text(column, row) ?? '';
    const dataset = text('dataset');
    const mark = (row: number) =>
      table.number('early', row) === 1
        ? 'ended early'
        : table.number('outlier', row) === 1
          ? 'outlier'
          : '';
    const own = table.columns.filter(
      (column) => column.type === 'number' && !column.matrix && !known.has(column.name),
    );
    const isTold = (id: string) =>
      id === 'mark'
        ? ['early', 'outlier'].some((flag) => table.numbers(flag).includes(1))
        : table.texts(id).some((at) => table.strings[at]);
    const ifTold = (id: string, title: string, of: (row: number) => string): TableColumn[] =>
      isTold(id)
        ? [textColumn(id, title, of, { minor: true, cell: (row) => <PathText path={of(row)} /> })]
        : [];
    return [
      textColumn('dataset', 'Dataset', dataset, {
        cell: (row) => (
          <span class="dataset-name">
            <Swatch colour={colourOf(dataset(row))} />
            <span>{dataset(row)}</span>
          </span>
        ),
      }),
      ...ifTold('file', 'File', text('file')),
      ...ifTold('host', 'Host', text('host')),
      ...numberColumns(table, [
        ['entry_start', 'first entry', 1, minor],
        ['t_start', 'start (s)'],
        ['duration', 'in process() (s)'],
      ]),
      ...ifTold('mark', 'for its size', mark),
      ...numberColumns(table, [
        ['events', 'events'],
        ['seconds_per_event', 'µs/event', 1e6, minor],
        ['bytes_read', 'MB read', 1e-6, minor],
        ['memory_delta', 'Δ memory (MiB)', perMebibyte, minor],
        ['branches_accessed', 'branches', 1, minor],
        ...own.map(({ name }) => [name, quantityTitle(quantityOf(name)), 1, minor] as const),
      ]),
      ...(table.has('error') ? ifTold('error', 'error', text('error')) : []),
    ];
  };
  const columns = useMadeOf(table, 'columns of the list', makeColumns, [colourOf]);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      keep={keep}
      rowClass={markOfFile(table)}
      label="Chunks"
      sortedBy="duration"
      descending
      maxHeight={460}
      selectedRow={hoveredChunk.value}
      onHover={setter(hoveredChunk)}
      onRow={(row) => {
        const chunk = table.number('chunk', row);
        chosenChunk.value = chosenChunk.peek() === chunk ? undefined : chunk;
      }}
      testId="chunk-table"
    />
  );
}
