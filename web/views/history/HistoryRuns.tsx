import { batch } from '@preact/signals';
import {
  type HistoryRun,
  outlierText,
  type RunHistory,
  type Series,
  seriesText,
} from '../../domain/runHistory';
import { columnDecimals, fixed } from '../../plot/format';
import { annotationOf } from '../../state/annotations';
import type { Answer } from '../../state/answers';
import { openTab } from '../../state/finding';
import { goTo } from '../../state/link';
import { parsePermalink } from '../../state/permalink';
import { openRuns, showRun } from '../../state/runs';
import { Button } from '../../ui/Button';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { textColumn } from '../common/columns';
import { Panel } from '../common/Panel';
import { recordedText } from './recorded';

/** Numbers that stand beside the labels. */
const mostNumbers = 5;

const labels = [
  ['label', 'Label'],
  ['note', 'Note'],
  ['commit', 'Commit'],
  ['branch', 'Branch'],
  ['coffea', 'coffea'],
  ['awkward', 'awkward'],
] as const;

export function openHistoryRun({ run, digest }: HistoryRun): void {
  batch(() => {
    showRun(run);
    openTab(digest === 1 ? 'recording' : 'summary');
  });
}

/** A note leads to what of the run it was written about, where it says so. */
function NoteCell({ run }: { run: HistoryRun }) {
  const { place, text } = annotationOf(run.note);
  if (!place) return text || '–';
  return (
    <Button
      class="link"
      title="Shows what it was written about"
      data-testid="history-run-note"
      onClick={(event) => {
        event.stopPropagation();
        // which run it was is another number in each page
        const number = openRuns.value.findIndex(({ id }) => id === run.run);
        goTo({ ...parsePermalink(place), run: number });
      }}
    >
      {text}
    </Button>
  );
}

/** The runs with their labels, the newest first; those that are not compared with the reason. */
export function HistoryRuns({
  answer,
  runHistory,
}: {
  answer: Answer;
  runHistory: RunHistory | undefined;
}) {
  const runs = runHistory?.runs ?? [];
  const text = (name: (typeof labels)[number][0]) => (row: number) => runs[row]?.[name] ?? '';
  const isTold = (name: (typeof labels)[number][0]) => runs.some((run) => run[name] !== '');
  const columns: TableColumn[] = [
    {
      id: 'place',
      title: '#',
      align: 'right',
      order: (row) => row,
      cell: (row) => `${runHistory?.outliers.has(row) ? '◆ ' : ''}${row + 1}`,
    },
    textColumn('run', 'Run', (row) => runs[row]?.title ?? ''),
    textColumn('day', 'Recorded', (row) => recordedText(runs, row), {
      order: (row) => runs[row]?.started_at ?? Number.NaN,
    }),
    ...labels
      .filter(([name]) => isTold(name))
      .map(([name, title]) =>
        textColumn(name, title, text(name), {
          minor: true,
          ...(name === 'note' && {
            cell: (row) => (runs[row] ? <NoteCell run={runs[row]} /> : '–'),
          }),
        }),
      ),
    ...(runHistory?.series ?? [])
      .filter(({ id }) => !id.includes(':'))
      .slice(0, mostNumbers)
      .map(numberColumn),
    ...(runs.some(({ left_out }) => left_out !== '')
      ? [textColumn('left_out', 'Not compared', (row) => runs[row]?.left_out ?? '')]
      : []),
  ];
  return (
    <Panel
      title={`${runs.length} runs`}
      subtitle="newest first; click to open"
      answer={answer}
      name="history-runs"
      testId="history-runs"
    >
      <DataTable
        columns={columns}
        rows={runs.length}
        label="Runs of the history"
        sortedBy="place"
        descending
        maxHeight={320}
        onRow={(row) => {
          const run = runs[row];
          if (run) openHistoryRun(run);
        }}
        testId="history-table"
      />
    </Panel>
  );
}

function numberColumn(series: Series): TableColumn {
  const value = (row: number) => series.values[row] ?? Number.NaN;
  const isPlain = series.unit === 'kHz';
  const decimals = columnDecimals(series.values);
  return {
    id: series.id,
    title: isPlain ? `${series.label} (kHz)` : series.label,
    align: 'right',
    order: value,
    cell: (row) => {
      if (!Number.isFinite(value(row))) return '–';
      const text = isPlain ? fixed(value(row), decimals) : seriesText(series, value(row));
      return series.outliers.has(row) ? (
        <span class="unlike" title={`${outlierText(series, row)} against its level: an outlier`}>
          {text}
        </span>
      ) : (
        text
      );
    },
  };
}
