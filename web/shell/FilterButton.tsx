import { signal } from '@preact/signals';
import { isFiltered } from '../state/selection';
import { Button } from '../ui/Button';

/** Where room is short, the filter bar is shown on demand. */
export const filtersShown = signal(false);

export function FilterButton() {
  return (
    <Button
      class="button filter-button"
      aria-expanded={filtersShown.value}
      data-testid="filter-button"
      onClick={() => {
        filtersShown.value = !filtersShown.value;
      }}
    >
      Filter{isFiltered.value ? <b class="filter-dot"> on</b> : null}
    </Button>
  );
}
