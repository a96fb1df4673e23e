import type { ComponentChildren } from 'preact';
import { useLeft } from '../../domain/chunks';
import { count } from '../../plot/format';
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

/** True when the filter leaves no chunk of a run that has some. */
export function useEmptyFilter(): boolean {
  const isEmpty = useLeft(selection.value).chunks === 0;
  return useLeft({}).chunks > 0 && isFiltered.value && isEmpty;
}

/** In place of empty pictures: which chip excludes everything, and how to clear it. */
export function EmptyFilter({ centered = false }: { centered?: boolean }) {
  const shown = selection.value;
  const active = dimensions.filter((dimension) => shown[dimension] !== undefined);
  return (
    <NothingLeft title="No chunk matches the filter" centered={centered}>
      {active.map((dimension) => (
        <Culprit key={dimension} dimension={dimension} />
      ))}
    </NothingLeft>
  );
}

interface NothingLeftProps {
  title: string;
  centered?: boolean;
  children: ComponentChildren;
}

/** The filter excludes all that would be shown. */
export function NothingLeft({ title, centered = false, children }: NothingLeftProps) {
  return (
    <section class="panel" data-testid="empty-filter">
      <div class={centered ? 'absent absent-center' : 'absent'}>
        <h2>{title}</h2>
        {children}
        <div class="absent-actions row">
          <Button data-testid="empty-clear-all" onClick={clearSelection}>
            Clear all <kbd>Esc</kbd>
          </Button>
        </div>
      </div>
    </section>
  );
}

/** A chip without which there would be chunks. One that makes no difference alone says nothing. */
function Culprit({ dimension }: { dimension: Dimension }) {
  const chunks = useLeft(without(selection.value, dimension)).chunks;
  if (!(chunks > 0)) return null;
  return (
    <p class="culprit row secondary">
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
