import { batch } from '@preact/signals';
import { dateTime, duration } from '../../plot/format';
import type { Answer } from '../../state/answers';
import { openTab } from '../../state/finding';
import { choose, pair } from '../../state/pair';
import { openRuns, showRun } from '../../state/runs';
import { put } from '../../state/setter';
import { view } from '../../state/view';
import { Button } from '../../ui/Button';
import { AnswerTable, numberColumns, textColumn } from '../common/columns';
import { Panel } from '../common/Panel';
import type { Study } from './study';

/** The runs of the study; a click opens one, A and B compare two. */
export function RunsPanel({
  answer,
  study,
}: {
  answer: Answer<'scaling'>;
  study: Study | undefined;
}) {
  const { table } = answer;
  const rows = study?.rows ?? [];
  const run = (row: number) => openRuns.value.find((entry) => entry.id === rows[row]?.number);
  const started = (row: number) => run(row)?.started_naive ?? Number.NaN;
  const elapsed = (row: number) => run(row)?.elapsed ?? Number.NaN;
  return (
    <Panel
      title="Runs"
      subtitle="click a row to open it; A and B choose two to compare"
      answer={answer}
      name="runs"
      testId="scaling-runs"
      actions={
        pair.value ? (
          <Button data-testid="scaling-compare" onClick={put(view, 'compare')}>
            Compare A and B
          </Button>
        ) : null
      }
    >
      {study && table ? (
        <AnswerTable
          table={table}
          columns={[
            {
              id: 'place',
              title: '#',
              align: 'right',
              order: (row) => row,
              cell: (row) => row + 1,
            },
            textColumn('run', 'Run', (row) => rows[row]?.run ?? ''),
            textColumn('started', 'Recorded', (row) => dateTime(started(row)), {
              minor: true,
              order: started,
            }),
            ...numberColumns(table, [
              ['cores', 'Cores, average'],
              ['rate', study.unit],
              ['rate_per_core', `${study.unit}/core`],
              ['efficiency_vs_ideal', '% of ideal', 100],
            ]),
            {
              id: 'elapsed',
              title: 'Elapsed',
              align: 'right',
              minor: true,
              order: elapsed,
              cell: (row) => duration(elapsed(row)),
            },
            ...(rows.some((row) => row.differs)
              ? [textColumn('differs', 'Not compared: it has', (row) => rows[row]?.differs ?? '')]
              : []),
            {
              id: 'sides',
              title: 'Compare',
              align: 'right',
              cell: (row) => <Sides id={rows[row]?.number ?? -1} />,
            },
          ]}
          label="Runs of the study"
          sortedBy="cores"
          maxHeight={420}
          onRow={(row) => {
            const id = rows[row]?.number;
            if (id === undefined) return;
            batch(() => {
              showRun(id);
              openTab('summary');
            });
          }}
          testId="runs-table"
        />
      ) : null}
    </Panel>
  );
}

function Sides({ id }: { id: number }) {
  const now = pair.value;
  return (
    <span class="side-buttons">
      {(['a', 'b'] as const).map((side) => (
        <Button
          key={side}
          class="side-button"
          aria-pressed={now?.[side].id === id}
          title={side === 'a' ? 'The baseline' : 'Compared with the baseline'}
          onClick={(event) => {
            event.stopPropagation();
            choose(side, id);
          }}
        >
          {side.toUpperCase()}
        </Button>
      ))}
    </span>
  );
}
