import { useMemo, useRef } from 'preact/hooks';
import { type Phase, phaseShade } from '../../domain/phases';
import { countMarks, type WorkerMark } from '../../domain/workerMarks';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { Legend } from '../../plot/Legend';
import { colour } from '../../plot/palette';
import { Track as TrackPlot } from '../../plot/Track';
import type { TimeAxis } from '../../plot/timeAxis';
import type { Means } from './means';
import { TrackFrame } from './TrackFrame';
import type { Track } from './tracks';

export interface SumTrackProps {
  track: Track;
  /** over the selected time, and over the whole run */
  selected: Means;
  whole: Means;
  axis: TimeAxis;
  phases: readonly Phase[];
  /** moments to be marked at the upper edge */
  marks?: readonly WorkerMark[];
  data: Table;
}

const noMarks: readonly WorkerMark[] = [];

/** A quantity of the whole cluster over time. */
export function SumTrack({
  track,
  selected,
  whole,
  axis,
  phases,
  marks = noMarks,
  data,
}: SumTrackProps) {
  const layers = useMemo(
    (): Layer[] => [phaseShade(phases), ...track.layers, marksLayer(marks)],
    [track, phases, marks],
  );
  const box = useRef<HTMLDivElement>(null);
  const [mean] = track.over(whole);
  return (
    <TrackFrame
      id={track.id}
      title={track.title}
      unit={track.unit}
      axis={axis}
      readOut={(moment) => (moment === undefined ? track.over(selected) : track.at(moment))}
      controls={
        track.legend || marks.length > 0 ? (
          <>
            {track.legend ? <Legend entries={track.legend} /> : null}
            {marks.length > 0 ? <MarkLegend marks={marks} /> : null}
          </>
        ) : null
      }
      data={data}
    >
      <div ref={box}>
        <TrackPlot
          over={axis}
          layers={layers}
          height={track.height}
          top={track.top}
          wanted={Math.max(2, Math.round(track.height / 28))}
          labels={track.labels}
          label={`${track.title}, ${track.unit}: mean ${mean}`}
        />
      </div>
    </TrackFrame>
  );
}

const marksLayer = (marks: readonly WorkerMark[]): Layer => ({
  kind: 'paint',
  paint: (context, { begin, end, width }) => {
    for (const mark of marks) {
      const x = ((mark.moment - begin) / (end - begin)) * width;
      if (x < 0 || x > width) continue;
      context.fillStyle = colour(mark.colour);
      context.fillRect(Math.round(x) - 1, 0, 2, 8);
    }
  },
});

function MarkLegend({ marks }: { marks: readonly WorkerMark[] }) {
  return (
    <span class="muted mark-legend row" data-testid="worker-marks">
      {countMarks(marks).map(({ kind, found }) => (
        <span key={kind}>
          <span class="swatch" style={{ background: `var(${found[0]?.colour ?? ''})` }} />{' '}
          {found.length} {kind}
        </span>
      ))}
    </span>
  );
}
