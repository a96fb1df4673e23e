import { useState } from 'preact/hooks';
import { useDatasets } from '../../domain/datasetColours';
import { type Row, rowsOf, type Table } from '../../engine/table';
import { type BarRow, BarRows } from '../../plot/BarRows';
import { coreTimeValue, count, megabytes, microseconds } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { largestFirst } from '../../plot/numbers';
import { currentFinding, markOf } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { selection, toggleName } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { useMadeOf } from '../../ui/madeOf';
import { noteText, Panel } from '../common/Panel';
import { shortPath } from '../common/PathText';
import { Segmented } from '../common/Segmented';
import { useCoreTimeScale } from '../common/useCoreTimeScale';

const groupings = [
  { id: 'datasets', title: 'Dataset' },
  { id: 'files', title: 'File' },
  { id: 'hosts', title: 'Host' },
  { id: 'sites', title: 'Site' },
] as const;

type Grouping = (typeof groupings)[number]['id'];
type Group = Row<'datasets' | 'files' | 'hosts' | 'sites'>;

/** What a finding is about is what its link shall show. */
const groupingOf: Record<string, Grouping> = {
  'slow-file': 'files',
  'slow-host': 'hosts',
  'slow-site': 'sites',
};

/** Beyond these, all are in the table (•••). */
const mostRows = 12;

function wantedGrouping(): Grouping {
  const now = currentFinding.peek();
  const wanted = now?.run === activeRunId.peek() ? groupingOf[now?.finding.id ?? ''] : undefined;
  return wanted ?? 'datasets';
}

/** The chunks' time per event by what they have in common; only time inside process() has an owner. */
export function GroupPanel() {
  const [grouping, setGrouping] = useState<Grouping>(wantedGrouping);
  const answer = useAnswer(grouping, selection.value);
  // while another grouping is awaited the table on screen still is the old one
  const shown = answer.table?.question === grouping ? answer.table : undefined;
  const title = groupings.find((entry) => entry.id === grouping)?.title ?? '';
  return (
    <Panel
      title={`By ${title.toLowerCase()}`}
      subtitle={noteText(answer, 'selection') || 'time per event; line: expected by the dataset'}
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
      className="span-6"
      testId="groups"
    >
      {shown && shown.rows === 0 ? (
        <p class="missing">{noteText(answer, 'missing') || 'no chunk in the selection'}</p>
      ) : null}
      {shown && shown.rows > 0 ? <GroupBars table={shown} grouping={grouping} /> : null}
    </Panel>
  );
}

interface GroupBarsProps {
  table: Table<Grouping>;
  grouping: Grouping;
}

/** A bar for each dataset, file or host, the slowest first. */
function GroupBars({ table, grouping }: GroupBarsProps) {
  const scale = useCoreTimeScale();
  const { colourOf } = useDatasets();
  const dimension = grouping === 'sites' ? 'hosts' : grouping;
  const slowest = useMadeOf(table, 'slowest', () =>
    rowsOf(table.picked(largestFirst(table.numbers('seconds_per_event')).slice(0, mostRows))),
  );
  const barOf = (group: Group): BarRow => ({
    id: group.name,
    label: (
      <>
        {grouping === 'datasets' ? <Swatch colour={colourOf(group.name)} /> : null}
        <span title={group.name}>{shortPath(group.name) || 'without a name'}</span>
      </>
    ),
    value: group.seconds_per_event,
    usual: group.expected_per_event,
    colour: grouping === 'datasets' ? colourOf(group.name) : '--ph-process',
    texts: [
      microseconds(group.seconds_per_event),
      coreTimeValue(group.seconds, scale),
      count(group.chunks),
      Number.isFinite(group.outliers) ? count(group.outliers) : '–',
      megabytes(group.bytes_per_second),
    ],
    selected: markOf({ [dimension]: group.name }) === 'about',
    onClick: () => toggleName(dimension, group.name),
  });
  return (
    <>
      <BarRows
        rows={slowest.map(barOf)}
        heads={['µs/event', scale.unit, 'chunks', 'outliers', 'MB/s per core']}
        label={`Time per event by ${grouping}`}
        testId="group"
      />
      {table.rows > mostRows ? (
        <p class="muted small">all {count(table.rows)} are in the table (•••)</p>
      ) : null}
    </>
  );
}
