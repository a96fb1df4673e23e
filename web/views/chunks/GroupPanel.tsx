import { useMemo, useState } from 'preact/hooks';
import { useDatasets } from '../../domain/datasetColours';
import type { Table } from '../../engine/table';
import { Swatch } from '../../plot/Legend';
import { currentFinding, markOf } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { selection, toggleName } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import type { TableColumn } from '../../ui/DataTable';
import { AnswerTable, minor, numberColumns, perMebibyte, textColumn } from '../common/columns';
import { noteText, Panel } from '../common/Panel';
import { PathText } from '../common/PathText';
import { Segmented } from '../common/Segmented';
import { useCoreTimeScale } from '../common/useCoreTimeScale';

const groupings = [
  { id: 'datasets', title: 'Dataset' },
  { id: 'files', title: 'File' },
  { id: 'hosts', title: 'Host' },
  { id: 'sites', title: 'Site' },
] as const;

type Grouping = (typeof groupings)[number]['id'];

/** What a finding is about is what its link shall show. */
const groupingOf: Record<string, Grouping> = {
  'slow-host': 'hosts',
  'slow-site': 'sites',
};

function wantedGrouping(): Grouping {
  const now = currentFinding.peek();
  const wanted = now?.run === activeRunId.peek() ? groupingOf[now?.finding.id ?? ''] : undefined;
  return wanted ?? 'datasets';
}

/** The chunks' time by what they have in common. Only time inside process() has an owner. */
export function GroupPanel() {
  const [grouping, setGrouping] = useState<Grouping>(wantedGrouping);
  const answer = useAnswer(grouping, selection.value);
  const { colourOf } = useDatasets();
  // while another grouping is awaited the table on screen still is the old one
  const shown = answer.table?.question === grouping ? answer.table : undefined;
  const title = groupings.find((entry) => entry.id === grouping)?.title ?? '';
  return (
    <Panel
      title="Time in process()"
      subtitle={noteText(answer, 'selection') || 'the chunks in groups'}
      answers={[answer]}
      actions={
        <Segmented
          name="group"
          label="By"
          options={groupings}
          value={grouping}
          onChange={setGrouping}
        />
      }
      data={shown}
      className="span-12"
      testId="groups"
    >
      {shown && shown.rows === 0 ? (
        <p class="missing">{noteText(answer, 'missing') || 'no chunk in the selection'}</p>
      ) : null}
      {shown && shown.rows > 0 ? (
        <GroupTable
          table={shown}
          dimension={grouping === 'sites' ? 'hosts' : grouping}
          title={title}
          colourOf={grouping === 'datasets' ? colourOf : undefined}
        />
      ) : null}
    </Panel>
  );
}

interface GroupTableProps {
  table: Table<'datasets' | 'files' | 'hosts' | 'sites'>;
  /** what its rows are names of: a click on one selects it */
  dimension: 'datasets' | 'files' | 'hosts';
  title: string;
  /** colour token of a name; undefined where the groups have no colours */
  colourOf?: ((name: string) => string) | undefined;
}

const unreliable =
  'mean change of the process’s memory per chunk; unreliable with several threads per worker';

/** One row per dataset, file or host: what its chunks took and how fast they went. */
function GroupTable({ table, dimension, title, colourOf }: GroupTableProps) {
  const scale = useCoreTimeScale();
  const columns = useMemo<TableColumn[]>(() => {
    const name = (row: number) => table.text('name', row) ?? '';
    const shown = (row: number) => (
      <span class="dataset-name">
        {colourOf ? <Swatch colour={colourOf(name(row))} /> : null}
        <PathText path={name(row)} />
      </span>
    );
    return [
      textColumn('name', title, name, { cell: shown }),
      ...numberColumns(table, [
        ['chunks', 'chunks'],
        ['events', 'events (k)', 1e-3],
        ['seconds', `${scale.unit} in process()`, 1 / scale.divisor],
        ['share', 'share (%)', 100, minor],
        ['mean', 'mean (s)', 1, minor],
        ['p50', 'median (s)', 1, minor],
        ['p95', 'p95 (s)', 1, minor],
        ['max', 'max (s)', 1, minor],
        ['seconds_per_event', 'µs/event', 1e6, minor],
        ['fixed_seconds', 'fixed (s)', 1, minor],
        ['seconds_per_event_slope', '+ µs/event', 1e6, minor],
        ['events_per_second', 'kHz per core', 1e-3],
        ['bytes_per_second', 'MB/s per core', 1e-6, minor],
        ['bytes', 'MB read', 1e-6, minor],
        [
          'memory_delta_mean',
          'Δ memory (MiB)',
          perMebibyte,
          { ...minor, explain: () => unreliable },
        ],
        ['outliers', 'outliers', 1, minor],
      ]),
    ];
  }, [table, title, colourOf, scale.unit]);
  return (
    <AnswerTable
      table={table}
      columns={columns}
      label={`By ${title.toLowerCase()}`}
      sortedBy="seconds"
      descending
      maxHeight={330}
      rowClass={(row) => markOf({ [dimension]: table.text('name', row) ?? '' })}
      onRow={(row) => toggleName(dimension, table.text('name', row) ?? '')}
      testId="group-table"
    />
  );
}
