import { useMemo } from 'preact/hooks';
import { fullSentence, sentenceCase } from '../../domain/sentenceCase';
import type { NumbersOf } from '../../engine/questions';
import { rowsOf, type Table } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { bytes, percent } from '../../plot/format';
import { findingsOf, firstOfReading } from '../../state/finding';
import { selection, toggleName } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import type { TableColumn } from '../../ui/DataTable';
import { Grid } from '../../ui/sight';
import { AbsentView } from '../common/Absent';
import { AnswerTable, markOfFile, minor, numberColumns, textColumn } from '../common/columns';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { noteText, Panel } from '../common/Panel';
import { PathText } from '../common/PathText';
import { ViewVerdict } from '../common/ViewVerdict';
import { BranchPanel } from './BranchPanel';
import { FileHistogram, type FileHistogramProps } from './FileHistogram';
import { HelpPanel } from './HelpPanel';
import { HostsPanel } from './HostsPanel';
import { InputPanel } from './InputPanel';
import { LoadPanel } from './LoadPanel';
import { RatePanel } from './RatePanel';

interface FileFact extends Omit<FileHistogramProps, 'className'> {
  fact: NumbersOf<'access'>;
}

const fileFacts: readonly [FileFact, ...FileFact[]] = [
  {
    fact: 'compression_ratio',
    question: 'compression_histogram',
    title: 'Compression',
    xTitle: 'compressed / uncompressed',
    percents: false,
  },
  {
    fact: 'branches_read_fraction',
    question: 'branch_histogram',
    title: 'Share of branches read',
    xTitle: '% of branches',
    percents: true,
  },
  {
    fact: 'bytes_read_fraction',
    question: 'access_histogram',
    title: 'Share of bytes read',
    xTitle: "% of the tree's bytes",
    percents: true,
  },
];

/** Those that are recorded; of none the first, which says for all what is missing. */
export function shownFacts(access: Table<'access'> | undefined): readonly FileFact[] {
  if (!access) return fileFacts;
  const known = fileFacts.filter(({ fact }) => access.numbers(fact).some(Number.isFinite));
  if (known.length > 0) return known;
  return [{ ...fileFacts[0], title: 'Compression, branches, bytes read' }];
}

/** Beside the counters they fill a row. */
const widths: Readonly<Record<number, string>> = { 1: 'span-8', 2: 'span-4', 3: 'span-3 half' };

/** Is reading the limit, and how much of the input is read? */
export function AccessView() {
  const access = useAnswer('access', selection.value);
  const branches = useAnswer('branches', selection.value);
  const input = useAnswer('input', selection.value);
  const findings = useAnswer('findings').table;
  const blamed = findings && firstOfReading(findingsOf(findings));
  const empty = useEmptyFilter();
  const facts = shownFacts(access.table);
  const missing = [noteText(access, 'missing'), noteText(branches, 'missing')].filter(Boolean);
  if (access.table?.rows === 0 && branches.table?.rows === 0 && missing.length > 0) {
    return (
      <AbsentView
        testId="view-read"
        title="No information about the input"
        reason={missing.map(fullSentence).join(' ')}
        addable
      />
    );
  }
  if (empty) {
    return (
      <div data-testid="view-read">
        <EmptyFilter centered />
      </div>
    );
  }
  return (
    <div class="stack" data-testid="view-read">
      <ViewVerdict
        text={blamed ? `${blamed.title}.` : noteText(input, 'verdict')}
        limits={noteText(input, blamed ? 'verdict' : 'waiting')}
        testId="input-verdict"
      />
      <Grid even>
        <RatePanel />
        <LoadPanel />
        <InputPanel />
        <BranchPanel />
        <div class="stack span-4">
          <HostsPanel />
          {blamed ? <HelpPanel finding={blamed} /> : null}
        </div>
        <Panel
          title="Files"
          subtitle={
            noteText(access, 'selection') ||
            'slowest first, relative to other files of the same dataset'
          }
          answer={access}
          className="span-12"
          testId="files"
        >
          {access.table && access.table.rows > 0 ? <FileTable table={access.table} /> : null}
          {access.table?.rows === 0 ? (
            <p class="missing">{noteText(access, 'missing') || 'no file in the selection'}</p>
          ) : null}
        </Panel>
        {facts.map(({ fact, ...histogram }) => (
          <FileHistogram key={fact} {...histogram} className={widths[facts.length]} />
        ))}
        <CountersPanel wide={facts.length < fileFacts.length} />
      </Grid>
    </div>
  );
}

/** What each file holds and how much of it was read. */
function FileTable({ table }: { table: Table<'access'> }) {
  const columns = useMemo<TableColumn[]>(() => {
    const text = (name: 'file' | 'dataset' | 'host') => (row: number) =>
      table.text(name, row) ?? '';
    const file = text('file');
    const [pace, ...others] = numberColumns(table, [
      ['times_others', '× others'],
      ['bytes_per_second', 'MB/s', 1e-6],
      ['times_read', '× read'],
      ['bytes_read', 'read (MB)', 1e-6],
      ['bytes_read_fraction', 'read (%)', 100],
      ['chunks', 'chunks'],
      ['tree_bytes', 'tree (MB)', 1e-6, minor],
      ['branches_read_fraction', 'branches (%)', 100, minor],
    ]);
    const slow = (row: number) =>
      table.number('slow', row) === 1 ? (
        <span class="unlike" title="significantly slower than comparable files">
          {pace?.cell(row)}
        </span>
      ) : (
        pace?.cell(row)
      );
    return [
      textColumn('file', 'File', file, { cell: (row) => <PathText path={file(row)} /> }),
      textColumn('dataset', 'Dataset', text('dataset')),
      textColumn('host', 'Host', text('host'), { minor: true, className: 'spare' }),
      ...(pace ? [pace.id === 'times_others' ? { ...pace, cell: slow } : pace] : []),
      ...others,
    ];
  }, [table]);
  const paced = table.numbers('times_others').some(Number.isFinite);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      label="Files"
      sortedBy={paced ? 'times_others' : 'bytes_read'}
      descending
      maxHeight={420}
      rowClass={markOfFile(table)}
      onRow={(row) => toggleName('files', table.text('file', row) ?? '')}
      testId="file-table"
    />
  );
}

const colours: Record<string, string> = {
  report: '--ph-process',
  chunks: '--ph-process',
  files: '--c6',
  'memory-read': '--act-other',
};

/** The counters of bytes side by side, and what one explains of another. */
function CountersPanel({ wide }: { wide: boolean }) {
  const answer = useAnswer('bytes', selection.value);
  const { table } = answer;
  const explained = table?.notes.explained;
  const missing = noteText(answer, 'missing');
  // the chunks hold zeros that are known to be wrong
  const absence = (id: string) =>
    missing && (id === 'chunks' || id === 'outside') ? 'not collected' : 'not recorded';
  return (
    <Panel
      title="Bytes read, by counter"
      subtitle={
        typeof explained === 'number' && Number.isFinite(explained)
          ? `${percent(explained)} of coffea’s bytes in chunks`
          : ''
      }
      answer={answer}
      className={wide ? 'span-4' : 'span-3 half'}
      testId="counters"
    >
      {table ? (
        <BarRows
          rows={rowsOf(table).map((row) => ({
            id: row.id,
            label: row.label,
            value: row.bytes > 0 ? row.bytes : 0,
            colour: colours[row.id] ?? '--ph-outside',
            hatched: row.id === 'outside',
            texts: [Number.isFinite(row.bytes) ? bytes(row.bytes) : absence(row.id)],
            tooltip: () => sentenceCase(row.meaning),
          }))}
          label="Counters of bytes"
          testId="counter"
        />
      ) : null}
      {[missing, noteText(answer, 'selection')].filter(Boolean).map((sentence) => (
        <p class="muted small" key={sentence}>
          {fullSentence(sentence)}
        </p>
      ))}
    </Panel>
  );
}
