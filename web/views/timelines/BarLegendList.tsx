import { count, duration } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import { selection, selectNames, toggleName } from '../../state/selection';
import type { BarColour } from '../../state/timelines';
import { Button } from '../../ui/Button';
import type { Bars } from './chunkBars';

const most = 9;

/** What the colours of the bars stand for; a click selects. */
export function BarLegendList({ bars, by }: { bars: Bars; by: BarColour }) {
  if (by === 'rate') {
    return (
      <div class="heat-legend">
        <div class="heat-scale" />
        <div class="gutter-line muted">
          <span>0</span>
          <span>{duration(bars.scaleTop ?? 0)}/event</span>
        </div>
      </div>
    );
  }
  if (by === 'file') return <p class="muted">neighbouring files differ in colour</p>;
  const dimension = by === 'host' ? 'hosts' : 'datasets';
  const shown = bars.legend.slice(0, most);
  return (
    <ul class="bar-legend">
      {shown.map((entry) => (
        <li key={entry.label}>
          <Button
            class="legend-button"
            title={`${entry.label}: ${count(entry.chunks)} chunks`}
            onClick={(event) => {
              const now = selection.peek()[dimension] ?? [];
              if (event.ctrlKey || event.metaKey) selectNames(dimension, [...now, entry.label]);
              else toggleName(dimension, entry.label);
            }}
          >
            <span class="swatch" style={{ background: cssColour(entry.colour) }} />
            <span class="bar-legend-name">{entry.label}</span>
          </Button>
          <span class="muted">{count(entry.chunks)}</span>
        </li>
      ))}
      {bars.legend.length > most ? (
        <li class="muted">and {bars.legend.length - most} more</li>
      ) : null}
    </ul>
  );
}
