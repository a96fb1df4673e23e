import { useMemo } from 'preact/hooks';
import { TrackPlot } from '../../charts/TrackPlot';
import { axisTicks } from '../../charts/ticks';
import type { TimeAxis } from '../../charts/timeAxis';
import { timeSelection } from '../../state/selection';
import type { Track } from './tracks';

export interface TrackRowProps {
  track: Track;
  axis: TimeAxis;
}

/** A track with its gutter: name, unit, values at the cursor or over what is selected. */
export function TrackRow({ track, axis }: TrackRowProps) {
  const ticks = useMemo(() => axisTicks(0, track.top, Math.max(2, Math.round(track.height / 28))), [track]);
  const [begin, end] = axis.visible.value;
  const [mean] = track.over(axis.extent.value);
  return (
    <div class="track-row" data-testid={`track-${track.id}`}>
      <div class="track-gutter">
        <ReadOut track={track} axis={axis} />
      </div>
      <TrackPlot
        layers={track.layers}
        begin={begin}
        end={end}
        top={track.top}
        ticks={ticks}
        height={track.height}
        labels={track.labels}
        label={`${track.title}, ${track.unit}: mean ${mean}`}
      />
    </div>
  );
}

/** Only this is drawn again when the cursor moves. */
function ReadOut({ track, axis }: TrackRowProps) {
  const cursor = axis.cursor.value;
  const range = timeSelection.value ?? axis.extent.value;
  const [value, other] = cursor === undefined ? track.over(range) : track.at(cursor);
  return (
    <>
      <div class="gutter-line">
        <h3>{track.title}</h3>
        <span class="read-out" data-testid={`read-${track.id}`}>
          {cursor === undefined ? <small class="muted">mean </small> : null}
          {value}
        </span>
      </div>
      <div class="gutter-line">
        <span class="muted" title={track.unit}>
          {track.unit}
        </span>
        <span class="read-out second">{other}</span>
      </div>
    </>
  );
}
