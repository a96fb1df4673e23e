import { activityLabel } from '../../domain/activities';
import { sentenceCase } from '../../domain/sentenceCase';
import type { RunId } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { chooseProcessor, processorOf } from '../../state/processor';
import { selection, selectNames } from '../../state/selection';
import { Button } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { Chevron } from '../common/Chevron';
import { Choice } from '../common/Segmented';
import { optionsOf, Select } from '../common/Select';
import { prefixesOf, textsOf } from './fineRows';
import {
  hiddenActivities,
  hiddenContexts,
  type Show,
  show as showing,
  toggled,
  unit as unitShown,
} from './fineState';

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

interface ProcessorSelectProps {
  run: RunId;
  /** the answer to `fine` without filter; undefined while it is not there */
  table: Table<'fine'> | undefined;
}

/**
 * Which task prefix is the user's processor: a guess that can be changed, here and for all that
 * rests on it.
 */
function ProcessorSelect({ run, table }: ProcessorSelectProps) {
  const chosen = processorOf(run);
  const guessed = String(table?.notes.processor ?? '');
  const basis = String(table?.notes.processor_basis ?? '');
  const prefixes = new Set(table ? prefixesOf(table) : []);
  if (chosen !== undefined) prefixes.add(chosen);
  return (
    <span class="toolbar-field">
      <Select
        named
        label="Processor prefix"
        options={optionsOf([...prefixes])}
        value={chosen ?? guessed}
        onChange={(prefix) => chooseProcessor(run, prefix)}
        testId="processor"
      />
      <span title={sentenceCase(basis)} data-testid="processor-basis">
        {basis.split(':')[0]}
      </span>
      {chosen !== undefined ? (
        <Button
          class="link"
          data-testid="processor-reset"
          onClick={() => chooseProcessor(run, undefined)}
        >
          guess again
        </Button>
      ) : null}
    </span>
  );
}

interface NameMenuProps {
  title: string;
  names: readonly string[];
  label?: (name: string) => string;
  isOn: (name: string) => boolean;
  onToggle: (name: string) => void;
  /** shows all again */
  onAll: () => void;
  testId: string;
}

/** A button that opens a list of names to tick. */
function NameMenu({
  title,
  names,
  label = (name) => name,
  isOn,
  onToggle,
  onAll,
  testId,
}: NameMenuProps) {
  const on = names.filter(isOn).length;
  const all = on === names.length;
  return (
    <Menu
      button={
        <>
          {title} <b>{all ? `all ${names.length}` : `${on} of ${names.length}`}</b> <Chevron />
        </>
      }
      buttonClass={all ? 'chip' : 'chip chip-on'}
      buttonTestId={testId}
      placeClass="name-place"
      sheetClass="menu-small name-menu"
    >
      {() => (
        <>
          {names.map((name) => (
            <label key={name} class="name-item">
              <input
                type="checkbox"
                checked={isOn(name)}
                data-testid={`${testId}-${name}`}
                onChange={() => onToggle(name)}
              />
              {label(name)}
            </label>
          ))}
          <Button class="link" data-testid={`${testId}-all`} onClick={onAll}>
            all
          </Button>
        </>
      )}
    </Menu>
  );
}
