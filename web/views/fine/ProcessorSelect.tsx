import { sentenceCase } from '../../domain/sentenceCase';
import type { RunId } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { chooseProcessor, processorOf } from '../../state/processor';
import { Button } from '../../ui/Button';
import { optionsOf, Select } from '../common/Select';
import { prefixesOf } from './fineRows';

export interface ProcessorSelectProps {
  run: RunId;
  /** the answer to `fine` without filter; undefined while it is not there */
  table: Table<'fine'> | undefined;
}

/**
 * Which task prefix is the user's processor: a guess that can be changed, here and for all that
 * rests on it.
 */
export function ProcessorSelect({ run, table }: ProcessorSelectProps) {
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
