import type { Layer } from '../../plot/drawTrack';
import { duration, significant } from '../../plot/format';
import { TimeAxisLabels } from '../../plot/TimeAxisLabels';
import { TimeBrush } from '../../plot/TimeBrush';
import { Track } from '../../plot/Track';
import type { TimeAxis } from '../../plot/timeAxis';
import { embedded } from '../../state/embed';
import { brushTime } from '../../state/history';
import { timeSelection } from '../../state/selection';
import { useIsExpanded } from '../../ui/useExpanded';

/** A run's rate and cores over time, ready to draw. */
export interface CoresCourse {
  axis: TimeAxis;
  /** the rate is of bytes; of events where bytes were not collected */
  hasBytes: boolean;
  hasCores: boolean;
  unit: string;
  coresTop: number;
  rateLayers: Layer[];
  coreLayers: Layer[];
  /** of the rate */
  peak: number;
}

export interface CoresPlotProps {
  course: CoresCourse;
  /** what the lower plot compares */
  coresCaption: string;
}

/** Room for head, captions and axis of a panel that fills the page [px]. */
const around = 224;

/** Two small plots on one time axis; large ones where the panel fills the page. */
export function CoresPlot({ course, coresCaption }: CoresPlotProps) {
  const expanded = useIsExpanded();
  const room = Math.max(160, window.innerHeight - around);
  const rateHeight = expanded ? Math.round(0.58 * room) : embedded.value ? 116 : 64;
  const coresHeight = expanded ? Math.round(0.42 * room) : 48;
  return (
    <div class="mini-track">
      <TimeBrush
        axis={course.axis}
        whole
        selected={timeSelection.value}
        onSelect={brushTime}
        label="Drag to select a time range"
        positionText={duration}
      >
        <p class="plot-caption">
          {course.hasBytes
            ? `${course.unit} read inside process()`
            : 'kHz events in process() (bytes not collected)'}
        </p>
        <Track
          over={course.axis.extent.value}
          layers={course.rateLayers}
          wanted={2}
          height={rateHeight}
          label={`Rate inside process(), up to ${significant(course.peak)} ${course.hasBytes ? course.unit : 'kHz'}`}
        />
        <p class="plot-caption">
          {course.hasCores
            ? coresCaption
            : 'cores in process() (those available were not recorded)'}
        </p>
        <Track
          over={course.axis.extent.value}
          layers={course.coreLayers}
          top={course.coresTop}
          wanted={2}
          height={coresHeight}
          label={`Cores in process() and available, up to ${significant(course.coresTop)}`}
        />
      </TimeBrush>
      <TimeAxisLabels range={course.axis.extent.value} unit="s" below />
    </div>
  );
}
