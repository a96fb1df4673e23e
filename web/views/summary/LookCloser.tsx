import { openRuns } from '../../state/runs';
import { view, views } from '../../state/view';

/** One click to each view that shares its tab with others. */
export function LookCloser() {
  const there = views().filter(({ asks, needs }) => asks && needs.runs <= openRuns.value.length);
  return (
    <nav class="look-closer" aria-label="Questions">
      {there.map(({ id, asks }) => (
        <button
          key={id}
          type="button"
          class="link"
          data-testid={`closer-${id}`}
          onClick={() => {
            view.value = id;
          }}
        >
          {asks}&#8201;›
        </button>
      ))}
    </nav>
  );
}
