import { openRuns } from '../../state/runs';
import { view, views } from '../../state/view';
import { Button } from '../../ui/Button';

/** One click to each view that shares its tab with others. */
export function LookCloser() {
  const there = views().filter(({ asks, needs }) => asks && needs.runs <= openRuns.value.length);
  return (
    <nav class="look-closer" aria-label="Questions">
      {there.map(({ id, asks }) => (
        <Button
          key={id}
          class="link"
          data-testid={`closer-${id}`}
          onClick={() => {
            view.value = id;
          }}
        >
          {asks}&#8201;›
        </Button>
      ))}
    </nav>
  );
}
