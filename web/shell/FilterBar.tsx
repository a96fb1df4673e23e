import { useMemo } from 'preact/hooks';
import type { QuestionName } from '../engine/questions';
import type { Table } from '../engine/table';
import { fixed, listed } from '../plot/format';
import { embedded } from '../state/embed';
import { leaveFinding } from '../state/finding';
import { activeRun } from '../state/runs';
import {
  clearDimension,
  clearSelection,
  isFiltered,
  selection,
  selectNames,
} from '../state/selection';
import { useAnswer } from '../state/useAnswer';
import { Button } from '../ui/Button';
import { later } from '../ui/later';
import type { CheckItem } from '../views/common/CheckList';
import { rangeText, timeText } from '../views/common/selectionText';
import { FilterButton, filtersShown } from './FilterButton';
import { groupItems, workerItems } from './filter/checkItems';
import { FilterChip } from './filter/FilterChip';
import { FilterCounts } from './filter/FilterCounts';
import { type Choices, filterValue } from './filter/filterValue';

const CheckList = later(async () => (await import('../views/common/CheckList')).CheckList);
const TimeMenu = later(async () => (await import('./filter/TimeMenu')).TimeMenu);

/**
 * What can be chosen, of the whole run; made anew only with the answer: a brush redraws the bar
 * sixty times a second.
 */
function useChoices(
  question: QuestionName,
  itemsOf: (table: Table | undefined) => CheckItem[],
): Choices {
  const { table } = useAnswer(question);
  return useMemo(() => {
    let items: CheckItem[] | undefined;
    const made = () => {
      items ??= itemsOf(table);
      return items;
    };
    return { total: table?.rows ?? 0, items: made };
  }, [table]);
}

/** What is selected, and how much of the run that is. One filter state for all views. */
export function FilterBar() {
  const elapsed = activeRun.value?.elapsed ?? Number.NaN;
  const {
    time,
    datasets = [],
    files = [],
    hosts = [],
    workers = [],
    prefixes,
    ranges,
  } = selection.value;
  const datasetChoices = useChoices('datasets', groupItems);
  const fileChoices = useChoices('files', groupItems);
  const hostChoices = useChoices('hosts', groupItems);
  const workerChoices = useChoices('workers', workerItems);
  const fileText = files.length > 0 ? filterValue(fileChoices, files) : '';
  const hostText = hosts.length > 0 ? filterValue(hostChoices, hosts) : '';
  const count =
    Number(Boolean(time)) +
    [datasets, files, hosts, workers].filter((names) => names.length > 0).length;
  return (
    <section
      class={`filter-bar row small muted ${filtersShown.value ? '' : 'filter-folded'}`}
      aria-label="Filter"
      data-testid="filter-bar"
    >
      <span class="filter-title">Filter</span>
      {embedded.value ? null : <FilterButton />}
      <FilterChip
        id="time"
        name="Time"
        value={
          time ? timeText(time) : Number.isFinite(elapsed) ? `0–${fixed(elapsed, 1)}\u2009s` : 'all'
        }
        active={time !== undefined}
        onClear={() => clearDimension('time')}
        menu={() => <TimeMenu elapsed={elapsed} />}
      />
      <NamesChip
        id="dataset"
        name="Dataset"
        choices={datasetChoices}
        chosen={datasets}
        dimension="datasets"
      />
      <FilterChip
        id="file"
        name="File/host"
        value={listed([fileText, hostText], ', ') || 'all'}
        active={files.length + hosts.length > 0}
        onClear={() => {
          clearDimension('files');
          clearDimension('hosts');
        }}
        menu={() => (
          <>
            <CheckList
              title="Hosts"
              items={hostChoices.items()}
              chosen={hosts}
              onChange={(names) => selectNames('hosts', names)}
              testId="check-host"
            />
            <CheckList
              title="Files"
              items={fileChoices.items()}
              chosen={files}
              onChange={(names) => selectNames('files', names)}
              testId="check-file"
            />
          </>
        )}
      />
      <NamesChip
        id="worker"
        name="Worker"
        choices={workerChoices}
        chosen={workers}
        dimension="workers"
      />
      {prefixes ? (
        <FilterChip
          id="prefix"
          name="Task"
          value={prefixes.length === 1 ? prefixes[0] : `${prefixes.length} names`}
          active
          onClear={() => clearDimension('prefixes')}
        />
      ) : null}
      {ranges ? (
        <FilterChip
          id="range"
          name="Chunks"
          value={ranges.map(rangeText).join(', ')}
          active
          onClear={() => clearDimension('ranges')}
        />
      ) : null}
      {isFiltered.value && count + Number(Boolean(prefixes)) + Number(Boolean(ranges)) > 1 ? (
        <Button
          class="link clear-all"
          data-testid="clear-all"
          onClick={() => {
            clearSelection();
            leaveFinding();
          }}
        >
          Clear all <kbd>Esc</kbd>
        </Button>
      ) : null}
      <FilterCounts />
    </section>
  );
}

interface NamesChipProps {
  id: string;
  name: string;
  choices: Choices;
  chosen: readonly string[];
  dimension: 'datasets' | 'workers';
}

/** A chip of one list of names. */
function NamesChip({ id, name, choices, chosen, dimension }: NamesChipProps) {
  return (
    <FilterChip
      id={id}
      name={name}
      value={filterValue(choices, chosen)}
      active={chosen.length > 0}
      onClear={() => clearDimension(dimension)}
      menu={() => (
        <CheckList
          title={`${name}s`}
          items={choices.items()}
          chosen={chosen}
          onChange={(names) => selectNames(dimension, names)}
          testId={`check-${id}`}
        />
      )}
    />
  );
}
