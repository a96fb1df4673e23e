import { batch } from '@preact/signals';
import { factOf, factParts } from '../../domain/facts';
import { rowsOf } from '../../engine/table';
import { columnDecimals, dateTime, fixed, partsText, percent } from '../../plot/format';
import { Sparkline } from '../../plot/Sparkline';
import { type Answer, useAnswersOfEach } from '../../state/answers';
import { choose, pair, runColumns } from '../../state/pair';
import { openRuns, showRun } from '../../state/runs';
import { selection } from '../../state/selection';
import { view } from '../../state/view';
import { Button } from '../../ui/Button';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { Menu } from '../../ui/Menu';
import { MenuItem } from '../../ui/MenuItem';
import { textColumn } from '../common/columns';
import { Panel } from '../common/Panel';
import type { Study } from './study';

/**
 * The runs of the study with the numbers one wants to see; a click opens one, A and B compare two.
 */
export function RunsPanel({ answer, study }: { answer: Answer; study: Study | undefined }) {
  const rows = study?.rows ?? [];
  const summaries = useAnswersOfEach(
    rows.map((row) => row.number),
    'summary',
    selection.value,
  );
  const first = summaries.find((summary) => summary.table)?.table;
  const facts = rowsOf(first);
  const run = (row: number) => openRuns.value.find((entry) => entry.id === rows[row]?.number);
  const started = (row: number) => run(row)?.started_naive ?? Number.NaN;
  // runs in the order they were recorded in; those without a time stay where they are
  const recorded = rows.map((_, row) => row).sort((a, b) => started(a) - started(b) || 0);
  const withCourse = (column: TableColumn): TableColumn => {
    const values = recorded.map((row) => Number(column.order?.(row) ?? Number.NaN));
    return {
      ...column,
      picture: <Sparkline values={values} label={`${column.title} in the order of recording`} />,
    };
  };
  const columns: TableColumn[] = [
    { id: 'place', title: '#', align: 'right', order: (row) => row, cell: (row) => row + 1 },
    textColumn('run', 'Run', (row) => rows[row]?.run ?? ''),
    textColumn('started', 'Recorded', (row) => dateTime(started(row)), {
      minor: true,
      order: started,
    }),
    ...studyColumns(study).map(withCourse),
    ...runColumns.value.flatMap((id): TableColumn[] => {
      const known = facts.find((fact) => fact.id === id);
      if (!known) return [];
      const value = (row: number) => {
        const table = summaries[row]?.table;
        return (table && factOf(table, id)?.value) ?? Number.NaN;
      };
      return [
        withCourse({
          id,
          title: known.label,
          align: 'right',
          minor: true,
          order: value,
          cell: (row) => partsText(factParts(known, value(row))),
          explain: known.formula ? () => known.formula : undefined,
        }),
      ];
    }),
    {
      id: 'sides',
      title: 'Compare',
      align: 'right',
      cell: (row) => <Sides id={rows[row]?.number ?? -1} />,
    },
  ];
  return (
    <Panel
      title="Runs"
      subtitle="click a row to open it; A and B choose two to compare; small lines in the order of recording"
      answers={[answer, ...summaries]}
      data={answer.table}
      name="runs"
      testId="scaling-runs"
      actions={
        <>
          <Columns facts={facts} />
          {pair.value ? (
            <Button
              data-testid="scaling-compare"
              onClick={() => {
                view.value = 'compare';
              }}
            >
              Compare A and B
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        columns={columns}
        rows={rows.length}
        label="Runs of the study"
        sortedBy="cores"
        maxHeight={420}
        onRow={(row) => {
          const id = rows[row]?.number;
          if (id === undefined) return;
          batch(() => {
            showRun(id);
            view.value = 'summary';
          });
        }}
        testId="runs-table"
      />
    </Panel>
  );
}

function studyColumns(study: Study | undefined): TableColumn[] {
  if (!study) return [];
  const number = (id: 'cores' | 'rate' | 'rate_per_core', title: string): TableColumn => {
    const decimals = columnDecimals(study.rows.map((row) => row[id]));
    const value = (row: number) => study.rows[row]?.[id] ?? Number.NaN;
    return {
      id,
      title,
      align: 'right',
      order: value,
      cell: (row) => (Number.isFinite(value(row)) ? fixed(value(row), decimals) : '–'),
    };
  };
  const efficiency = (row: number) => study.rows[row]?.efficiency_vs_ideal ?? Number.NaN;
  return [
    number('cores', 'Cores, average'),
    number('rate', study.unit),
    number('rate_per_core', `${study.unit}/core`),
    {
      id: 'efficiency',
      title: 'of ideal',
      align: 'right',
      order: efficiency,
      cell: (row) => (Number.isFinite(efficiency(row)) ? percent(efficiency(row)) : '–'),
    },
    ...(study.rows.some((row) => row.differs)
      ? [textColumn('differs', 'Not compared: it has', (row) => study.rows[row]?.differs ?? '')]
      : []),
  ];
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

/** Which numbers of the summary stand in the table. */
function Columns({ facts }: { facts: readonly { id: string; label: string }[] }) {
  const chosen = runColumns.value;
  return (
    <Menu
      button="Columns"
      buttonTestId="run-columns"
      align="right"
      sheetClass="menu-small menu-long"
    >
      {() =>
        facts.map((fact) => (
          <MenuItem
            key={fact.id}
            current={chosen.includes(fact.id)}
            onPress={() => {
              runColumns.value = chosen.includes(fact.id)
                ? chosen.filter((id) => id !== fact.id)
                : [...chosen, fact.id];
            }}
          >
            <span class="menu-mark" aria-hidden="true">
              {chosen.includes(fact.id) ? '✓' : ''}
            </span>
            {fact.label}
          </MenuItem>
        ))
      }
    </Menu>
  );
}
