import { activityLabel } from '../../domain/activities';
import type { RunId } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { selection, selectNames } from '../../state/selection';
import { Choice } from '../common/Segmented';
import { prefixesOf, textsOf } from './fineRows';
import {
  hiddenActivities,
  hiddenContexts,
  type Show,
  show as showing,
  toggled,
  unit as unitShown,
} from './fineState';
import { NameMenu } from './NameMenu';
import { ProcessorSelect } from './ProcessorSelect';

export interface FineToolsProps {
  run: RunId;
  /** the answer without filter: all that can be chosen */
  table: Table<'fine'>;
  units: readonly string[];
  unit: string;
  show: Show;
  /** core-seconds that were there; NaN = unknown, or another unit */
  available: number;
}

/** What of the fine metrics is shown, and how. */
export function FineTools({ run, table, units, unit, show, available }: FineToolsProps) {
  const seconds = unit === 'seconds';
  const shows: { id: Show; title: string }[] = [
    { id: 'absolute', title: seconds ? 'core-s' : 'absolute' },
    { id: 'row', title: '% of task type' },
    ...(Number.isFinite(available) ? [{ id: 'available' as const, title: '% of available' }] : []),
  ];
  const prefixes = prefixesOf(table);
  const chosen = selection.value.prefixes;
  const isChosen = (prefix: string) => chosen === undefined || chosen.includes(prefix);
  return (
    <div class="toolbar">
      <span class="toolbar-field">
        Unit
        <Choice
          name="unit"
          label="Unit"
          value={unit}
          of={unitShown}
          options={units.map((id) => ({ id, title: id === '' ? 'none' : id }))}
        />
      </span>
      <span class="toolbar-field">
        Show
        <Choice name="show" label="Show" value={show} of={showing} options={shows} />
      </span>
      <NameMenu
        title="Task type"
        names={prefixes}
        isOn={isChosen}
        onToggle={(prefix) => {
          const next = prefixes.filter((name) => isChosen(name) !== (name === prefix));
          // none chosen means all, as everywhere
          selectNames('prefixes', next.length === prefixes.length ? [] : next);
        }}
        onAll={() => selectNames('prefixes', [])}
        testId="fine-function"
      />
      <NameMenu
        title="Activity"
        names={textsOf(table, 'activity')}
        label={activityLabel}
        isOn={(name) => !hiddenActivities.value.has(name)}
        onToggle={(name) => {
          hiddenActivities.value = toggled(hiddenActivities.peek(), name);
        }}
        onAll={() => {
          hiddenActivities.value = new Set();
        }}
        testId="fine-activity"
      />
      <NameMenu
        title="Context"
        names={textsOf(table, 'context')}
        label={(name) => name || 'unknown'}
        isOn={(name) => !hiddenContexts.value.has(name)}
        onToggle={(name) => {
          hiddenContexts.value = toggled(hiddenContexts.peek(), name);
        }}
        onAll={() => {
          hiddenContexts.value = new Set();
        }}
        testId="fine-context"
      />
      <ProcessorSelect run={run} table={table} />
    </div>
  );
}
