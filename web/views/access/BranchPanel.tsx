import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { preloadOf } from '../../domain/preload';
import { noteNumber, rowsOf, type Table } from '../../engine/table';
import { count } from '../../plot/format';
import { findingsOf, unusedOf } from '../../state/finding';
import { selection } from '../../state/selection';
import { setter } from '../../state/setter';
import { useAnswer } from '../../state/useAnswer';
import type { TableColumn } from '../../ui/DataTable';
import { CopyButton } from '../common/CopyButton';
import { AnswerTable, minor, numberColumns, textColumn } from '../common/columns';
import { noteText, Panel } from '../common/Panel';
import { optionsOf, Select } from '../common/Select';

/** '' = all; kept while one looks at another view. */
const ofDataset = signal('');

/** Which branches are read, how often, and for which dataset. */
export function BranchPanel() {
  const whole = useAnswer('datasets');
  const names = rowsOf(whole.table).flatMap(({ name }) => name || []);
  const dataset = names.includes(ofDataset.value) ? ofDataset.value : '';
  const answer = useAnswer(
    'branches',
    dataset ? { ...selection.value, datasets: [dataset] } : selection.value,
  );
  const { table } = answer;
  const total = noteNumber(table, 'branches_total');
  // one request for all of them does, instead of one for each
  const preload = table && preloadOf(table);
  const findings = useAnswer('findings').table;
  // branches that a finding calls unused are not to be asked for once more
  const unused = findings && unusedOf(findingsOf(findings));
  return (
    <Panel
      title="Branches read"
      subtitle={
        noteText(answer, 'selection') ||
        (table && table.rows > 0
          ? `${count(table.rows)}${Number.isFinite(total) ? ` of ${count(total)}` : ''}`
          : '')
      }
      answer={answer}
      className={table?.rows === 0 ? 'span-4 at-top' : 'span-4 panel-filled'}
      testId="branches"
      actions={
        names.length > 1 ? (
          <Select
            label="Dataset"
            options={optionsOf(names, 'all datasets')}
            value={dataset}
            onChange={setter(ofDataset)}
            testId="branch-dataset"
          />
        ) : null
      }
    >
      {table && table.rows > 0 ? <BranchTable table={table} /> : null}
      {unused ? <p class="muted small">{unused.title}.</p> : null}
      {findings && !unused && preload && preload.branches > 0 ? (
        <div class="details-actions row">
          <CopyButton title="Copy as Python list" text={preload.text} />
          <span class="muted small">
            {count(preload.branches)} branches read by every chunk of {dataset || 'a dataset'}
            {table?.numbers('bytes').some(Number.isFinite)
              ? ''
              : ' (bytes per branch not recorded)'}
          </span>
        </div>
      ) : null}
      {table?.rows === 0 ? (
        <p class="missing">{noteText(answer, 'missing') || 'no branch in the selection'}</p>
      ) : null}
    </Panel>
  );
}

/** The branches that were read, most chunks first. */
function BranchTable({ table }: { table: Table<'branches'> }) {
  const columns = useMemo<TableColumn[]>(() => {
    const branch = (row: number) => table.text('branch', row) ?? '';
    const inNames = (row: number) => (
      <span title={table.text('dataset_names', row)}>{table.number('datasets', row)}</span>
    );
    return [
      textColumn('branch', 'Branch', branch, {
        cell: (row) => (
          <span class="mono" title={branch(row)}>
            {branch(row)}
          </span>
        ),
      }),
      ...numberColumns(table, [
        ['share_of_chunks', '% of chunks', 100],
        ['bytes', 'MB', 1e-6],
        ['chunks', 'chunks'],
        ['datasets', 'datasets', 1, { cell: inNames, ...minor }],
        ['files', 'files', 1, minor],
      ]),
    ];
  }, [table]);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      label="Branches"
      sortedBy="chunks"
      descending
      maxHeight={900}
      testId="branch-table"
    />
  );
}
