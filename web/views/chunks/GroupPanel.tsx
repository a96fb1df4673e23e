import { useMemo, useState } from 'preact/hooks';
import { datasetColours } from '../../domain/datasetColours';
import { useAnswer } from '../../state/answers';
import { currentFinding } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';
import { GroupTable } from './GroupTable';
import { SectionTable } from './SectionTable';

const groupings = [
  { id: 'datasets', title: 'Dataset' },
  { id: 'files', title: 'File' },
  { id: 'hosts', title: 'Host' },
  { id: 'sites', title: 'Site' },
  { id: 'sections', title: 'Section' },
] as const;

type Grouping = (typeof groupings)[number]['id'];

/** What a finding is about is what its link shall show. */
const groupingOf: Record<string, Grouping> = {
  'slow-cell': 'sections',
  unaccounted: 'sections',
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
  const run = activeRunId.value;
  const [grouping, setGrouping] = useState<Grouping>(wantedGrouping);
  const answer = useAnswer(run, grouping, selection.value);
  const whole = useAnswer(run, 'datasets');
  const colourOf = useMemo(
    () => (whole.table ? datasetColours(whole.table) : undefined),
    [whole.table],
  );
  // while another grouping is awaited the table on screen still is the old one
  const shown = answer.table?.question === grouping ? answer.table : undefined;
  const title = groupings.find((entry) => entry.id === grouping)?.title ?? '';
  const subtitle = [noteText(answer, 'overlap'), noteText(answer, 'selection')]
    .filter(Boolean)
    .join(' · ');
  return (
    <Panel
      title="Time in process()"
      subtitle={subtitle || 'the chunks in groups'}
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
      {shown && shown.rows > 0 && grouping === 'sections' ? <SectionTable table={shown} /> : null}
      {shown && shown.rows > 0 && grouping !== 'sections' ? (
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
