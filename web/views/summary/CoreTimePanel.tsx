import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { activityLabel, activityRank } from '../../domain/activities';
import { activitiesOf } from '../../domain/budget';
import { type CorePart, partColour, partLabel, partsOf, partTexture } from '../../domain/coreTime';
import { useDatasets } from '../../domain/datasetColours';
import { Legend } from '../../plot/Legend';
import {
  type CoreTimeSplit,
  coreTimeOptions,
  coreTimePart,
  coreTimeSplit,
  coreTimeZoom,
  useCoreTimeSplit,
} from '../../state/coreTime';
import { embedded } from '../../state/embed';
import { isFiltered, selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { ownKeys } from '../../ui/keys';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';
import { CoreTimeIcicle } from './CoreTimeIcicle';

const splitTitles: Record<CoreTimeSplit, string> = {
  functions: 'Own functions',
  datasets: 'Datasets',
  sections: 'Sections',
  activities: 'Activities',
};

/** The centre of the summary: the core-time, each row of it splitting the one above. */
export function CoreTimePanel() {
  const { by, splits } = useCoreTimeSplit();
  const under = coreTimeZoom.value;
  const answer = useAnswer('core_time_tree', selection.value, coreTimeOptions(by));
  const budget = useAnswer('budget', selection.value);
  const { colourOf } = useDatasets();
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { table } = answer;
  const workers = useAnswer('workers').table;
  const parts = useMemo(() => partsOf(table, workers), [table, workers]);
  // the four activities of all tasks, over the phases of which the processor's share one split
  const measured = useMemo(() => {
    return (budget.table ? activitiesOf(budget.table) : [])
      .sort((a, b) => activityRank(a.label) - activityRank(b.label))
      .map((row) => ({
        id: row.part,
        name: row.label,
        label: activityLabel(row.label),
        seconds: row.core_seconds,
        share: row.share,
      }));
  }, [budget.table]);
  // a part that a selection took away, or that belonged to another run, cannot fill the picture
  useEffect(() => {
    if (under && answer.error) coreTimeZoom.value = '';
  }, [answer.error, under]);
  useEffect(() => {
    const chosen = coreTimePart.value;
    if (chosen && table && !answer.pending && !parts.some(({ id }) => id === chosen))
      coreTimePart.value = '';
  }, [parts]);
  const whole = parts[0];
  const isEmpty = whole?.core_seconds === 0 && isFiltered.value;
  const known = whole !== undefined && parts.length > 1 && !isEmpty;
  return (
    <Panel
      title="Where the core-time went"
      subtitle={noteText(answer, 'selection')}
      answers={[{ ...answer, error: under ? undefined : answer.error }]}
      data={table}
      name="budget"
      testId="budget"
      className={known ? 'core-time' : 'core-time core-time-empty'}
      actions={
        embedded.value ? null : (
          <>
            <input
              ref={field}
              type="search"
              class="core-time-search"
              placeholder="Search"
              aria-label="Search the parts"
              data-testid="core-time-search"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
              onKeyDown={ownKeys({ Escape: () => setSearch('') })}
            />
            <Segmented
              name="split"
              label="process() split by"
              options={splits.map((id) => ({ id, title: splitTitles[id] }))}
              value={by}
              onChange={(split) => {
                coreTimeZoom.value = '';
                coreTimePart.value = '';
                coreTimeSplit.value = split;
              }}
            />
          </>
        )
      }
    >
      {known ? (
        <>
          <CoreTimeIcicle
            parts={embedded.value ? parts.filter(({ depth }) => depth <= 1) : parts}
            measured={under === '' ? measured : []}
            measuredTitle={noteText(budget, 'missing') ? 'Recorded' : 'Available'}
            search={search}
            onSearch={() => field.current?.focus()}
            colourOf={colourOf}
          />
          {embedded.value ? null : <CoreTimeLegend parts={parts} colourOf={colourOf} />}
        </>
      ) : null}
      {isEmpty ? <Absent title="Nothing to show" reason="No data matches the filters." /> : null}
      {whole && !isEmpty && !known && noteText(answer, 'selection') ? (
        <Absent title="Not known for this selection" reason={noteText(answer, 'selection')} />
      ) : null}
      {whole && !isEmpty && !known && !noteText(answer, 'selection') ? (
        <Absent
          title="No core-time was recorded"
          reason="Neither chunks nor fine metrics were recorded."
          recordable
          addable
        />
      ) : null}
    </Panel>
  );
}

const unnamed = 'available leaf section no_section others activity purpose'.split(' ');
/** Of the core-time: hover says what is smaller. */
const smallest = 0.01;

/** What colours and hatches mean, of those that are there. */
function CoreTimeLegend({
  parts,
  colourOf,
}: {
  parts: readonly CorePart[];
  colourOf: (name: string) => string;
}) {
  const colours = new Map<string, string>();
  for (const part of parts) {
    if (partTexture(part) !== 'solid' || part.share < smallest) continue;
    const colour = partColour(part, colourOf);
    const label =
      part.kind === 'library'
        ? part.category
        : part.kind === 'function'
          ? 'your functions'
          : unnamed.includes(part.kind) || part.depth === 1
            ? ''
            : partLabel(part);
    if (label && !colours.has(colour)) colours.set(colour, label);
  }
  const entries = [...colours]
    .slice(0, 10)
    .map(([colour, label]) => ({ id: colour, label, colour }));
  return (
    <div class="core-time-legend row">
      {entries.length > 0 ? <Legend entries={entries} /> : null}
      {parts.some(({ uncertain }) => uncertain > 0) ? (
        <ul class="legend small secondary">
          <li title="which function is uncertain. The strip at the foot of a box is its time on a CPU and waiting; pale: average of all processor tasks">
            <span class="swatch swatch-uncertain" />
            uncertain
          </li>
        </ul>
      ) : null}
    </div>
  );
}
