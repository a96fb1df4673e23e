import { sentenceCase } from '../../domain/sentenceCase';
import type { RunId } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { chooseProcessor, processorOf } from '../../state/processor';
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
    <label class="toolbar-field">
      Processor prefix
      <select
        class="select"
        data-testid="processor"
        value={chosen ?? guessed}
        onChange={(event) => chooseProcessor(run, event.currentTarget.value)}
      >
        {[...prefixes].map((prefix) => (
          <option key={prefix} value={prefix}>
            {prefix}
          </option>
        ))}
      </select>
      <span title={sentenceCase(basis)} data-testid="processor-basis">
        {basis.split(':')[0]}
      </span>
      {chosen !== undefined ? (
        <button
          type="button"
          class="link"
          data-testid="processor-reset"
          onClick={() => chooseProcessor(run, undefined)}
        >
          guess again
        </button>
      ) : null}
    </label>
  );
}
