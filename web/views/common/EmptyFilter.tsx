import { factOf } from '../../domain/facts';
import { count } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import {
  clearDimension,
  clearSelection,
  type Dimension,
  dimensions,
  isFiltered,
  selection,
  without,
} from '../../state/selection';
import { Button } from '../../ui/Button';

const names: Record<Dimension, string> = {
  time: 'time',
  datasets: 'dataset',
  files: 'file',
  hosts: 'host',
  workers: 'worker',
  prefixes: 'task',
  ranges: 'chunk range',
};

const chunksOf = (table: ReturnType<typeof useAnswer>['table']): number =>
  (table ? factOf(table, 'num_chunks')?.value : undefined) ?? Number.NaN;

/** True when the filter leaves no chunk of a run that has some. */
export function useEmptyFilter(): boolean {
  const run = activeRunId.value;
  const whole = useAnswer(run, 'summary').table;
  const narrowed = useAnswer(run, 'summary', selection.value).table;
  return isFiltered.value && chunksOf(whole) > 0 && chunksOf(narrowed) === 0;
}

/** In place of empty pictures: which chip excludes everything, and how to clear it. */
export function EmptyFilter({ centered = false }: { centered?: boolean }) {
  const run = activeRunId.value;
  const shown = selection.value;
  const active = dimensions.filter((dimension) => shown[dimension] !== undefined);
  return (
    <section class="panel" data-testid="empty-filter">
      <div class={centered ? 'absent absent-center' : 'absent'}>
        <h2>No chunk matches the filter</h2>
        {active.map((dimension) => (
          <Culprit key={dimension} run={run} dimension={dimension} />
        ))}
        <div class="absent-actions">
          <Button data-testid="empty-clear-all" onClick={clearSelection}>
            Clear all <kbd>Esc</kbd>
          </Button>
        </div>
      </div>
    </section>
  );
}

/** A chip without which there would be chunks. One that makes no difference alone says nothing. */
function Culprit({ run, dimension }: { run: number | undefined; dimension: Dimension }) {
  const chunks = chunksOf(useAnswer(run, 'summary', without(selection.value, dimension)).table);
  if (!(chunks > 0)) return null;
  return (
    <p class="culprit">
      Without the {names[dimension]} filter there would be {count(chunks)}{' '}
      {chunks === 1 ? 'chunk' : 'chunks'}.{' '}
      <Button
        class="button button-main"
        data-testid={`empty-clear-${dimension}`}
        onClick={() => clearDimension(dimension)}
      >
        Clear {names[dimension]}
      </Button>
    </p>
  );
}
