import { sentenceCase } from '../../domain/sentenceCase';
import type { RunId } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { chooseProcessor, processorOf } from '../../state/processor';
import { selection, selectNames } from '../../state/selection';
import { Button } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { CheckList } from '../common/CheckList';
import { Choice } from '../common/Segmented';
import { optionsOf, Select } from '../common/Select';
import { prefixesOf } from './fineRows';
import { type Show, show as showing, unit as unitShown } from './fineState';

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
    { id: 'absolute', title: seconds ? 'core time' : 'absolute' },
    { id: 'row', title: '% of task type' },
    ...(Number.isFinite(available) ? [{ id: 'available' as const, title: '% of available' }] : []),
  ];
  const prefixes = prefixesOf(table);
  const chosen = selection.value.prefixes ?? [];
  return (
    <div class="toolbar row">
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
      <Menu
        button={
          <>
            Task type <b>{chosen.length > 0 ? `${chosen.length} of ${prefixes.length}` : 'all'}</b>
          </>
        }
        buttonClass={chosen.length > 0 ? 'chip chip-on' : 'chip'}
        buttonTestId="fine-function"
        placeClass="name-place"
      >
        {() => (
          <CheckList
            title="Task types"
            items={prefixes.map((name) => ({ id: name, label: name, detail: '' }))}
            chosen={chosen}
            onChange={(names) => selectNames('prefixes', names)}
            testId="check-prefix"
          />
        )}
      </Menu>
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
