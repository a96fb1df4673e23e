import { useMemo, useRef } from 'preact/hooks';
import type { Phase } from '../../domain/phases';
import { phaseShade } from '../../domain/phases';
import type { Table } from '../../engine/table';
import { drawTrack } from '../../plot/drawTrack';
import { colour } from '../../plot/palette';
import { type TimeFrame, TimePlot } from '../../plot/TimePlot';
import { axisTicks } from '../../plot/ticks';
import type { TimeAxis } from '../../plot/timeAxis';
import { timeSelection } from '../../state/selection';
import { TrackFrame } from './TrackFrame';
import type { Track } from './tracks';
import type { WorkerMark } from './workerMarks';

export interface SumTrackProps {
  track: Track;
  axis: TimeAxis;
  phases: readonly Phase[];
  /** moments to be marked at the upper edge */
  marks?: readonly WorkerMark[];
  twin: Table;
}

const noMarks: readonly WorkerMark[] = [];

/** A quantity of the whole cluster over time. */
export function SumTrack({ track, axis, phases, marks = noMarks, twin }: SumTrackProps) {
  const ticks = useMemo(() => axisTicks(0, track.top, Math.max(2, Math.round(track.height / 28))), [track]);
  const draw = useMemo(() => {
    const gridAt = ticks.map((tick) => tick.value);
    const layers = [phaseShade(phases), ...track.layers];
    return (context: CanvasRenderingContext2D, frame: TimeFrame) => {
      drawTrack(context, layers, { ...frame, top: track.top, gridAt });
      for (const mark of marks) {
        const x = ((mark.moment - frame.begin) / (frame.end - frame.begin)) * frame.width;
        if (x < 0 || x > frame.width) continue;
        context.fillStyle = colour(mark.colour);
        context.fillRect(Math.round(x) - 1, 0, 2, 8);
      }
    };
  }, [track, ticks, phases, marks]);
  const box = useRef<HTMLDivElement>(null);
  const [mean] = track.over(axis.extent.value);
  return (
    <TrackFrame
      id={track.id}
      title={track.title}
      unit={track.unit}
      axis={axis}
      readOut={(moment) =>
        moment === undefined ? track.over(timeSelection.value ?? axis.extent.value) : track.at(moment)
      }
      controls={marks.length > 0 ? <MarkLegend marks={marks} /> : null}
      twin={twin}
    >
      <div ref={box}>
        <TimePlot
          axis={axis}
          draw={draw}
          height={track.height}
          top={track.top}
          ticks={ticks}
          labels={track.labels ?? []}
          label={`${track.title}, ${track.unit}: mean ${mean}`}
        />
      </div>
    </TrackFrame>
  );
}

function MarkLegend({ marks }: { marks: readonly WorkerMark[] }) {
  const kinds = ['joined', 'left', 'restarted'] as const;
  return (
    <span class="muted mark-legend" data-testid="worker-marks">
      {kinds
        .map((kind) => ({ kind, found: marks.filter((mark) => mark.kind === kind) }))
        .filter(({ found }) => found.length > 0)
        .map(({ kind, found }) => (
          <span key={kind}>
            <span class="swatch" style={{ background: `var(${found[0]?.colour ?? ''})` }} /> {found.length} {kind}
          </span>
        ))}
    </span>
  );
}
