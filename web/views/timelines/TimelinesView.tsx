import { useEffect, useMemo } from 'preact/hooks';
import { fixed } from '../../charts/format';
import { TimeAxisLabels } from '../../charts/TimeAxisLabels';
import { TimeBrush } from '../../charts/TimeBrush';
import { TrackPlot } from '../../charts/TrackPlot';
import { createTimeAxis, type Range, type TimeAxis } from '../../charts/timeAxis';
import { useAnswer } from '../../state/answers';
import { activeRun, activeRunId } from '../../state/runs';
import { selectTime, timeSelection, untimedSelection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { noteText } from '../common/Panel';
import { collector } from '../common/recording';
import { TimelinesHead } from './TimelinesHead';
import { TrackRow } from './TrackRow';
import { trackList } from './tracks';
import { useTimelineKeys } from './useTimelineKeys';

/** Finer than the pixels of a wide window, and zoom still finds steps. */
const bins = 1200;

/** When did it run well? All tracks on one time axis. */
export function TimelinesView() {
  const run = activeRun.value;
  const timeline = useAnswer(activeRunId.value, 'timeline', untimedSelection.value);
  const throughput = useAnswer(activeRunId.value, 'throughput', untimedSelection.value, { bins });
  const list = useMemo(
    () =>
      timeline.table && throughput.table
        ? trackList(timeline.table, throughput.table, run?.elapsed ?? Number.NaN)
        : undefined,
    [timeline.table, throughput.table, run],
  );
  const axis = useMemo(() => createTimeAxis(list?.extent[0] ?? 0, list?.extent[1] ?? 1), [list]);
  useTimelineKeys(axis);
  // the cursor of a view that was left would reappear
  useEffect(
    () => () => {
      axis.cursor.value = undefined;
    },
    [axis],
  );
  if (timeline.error || throughput.error) return <p class="refusal">{timeline.error ?? throughput.error}</p>;
  if (!timeline.table || !throughput.table)
    return <div class="panel panel-waiting timelines" data-testid="view-timelines" />;
  if (!list) {
    return (
      <section class="panel" data-testid="view-timelines">
        <Absent
          centered
          title="Nothing in this bundle has a time"
          reason="roastcoffea’s metrics.json holds worker series when the run is wrapped in MetricsCollector with tracking on, and chunks when process() is decorated with @track_metrics."
          snippet={collector}
          addable
        />
      </section>
    );
  }
  const select = (range: Range | undefined) => selectTime(range);
  return (
    <section class="panel timelines" aria-label="Timelines" data-testid="view-timelines">
      <TimelinesHead
        axis={axis}
        tracks={list.tracks}
        note={[noteText(timeline, 'selection'), noteText(throughput, 'selection')].filter(Boolean).join('; ')}
      />
      <div class="timelines-body">
        <div class="track-row overview">
          <div class="track-gutter">
            <h3>Overview</h3>
            <span class="muted">drag = select, whole run</span>
          </div>
          <TimeBrush
            axis={axis}
            whole
            selected={timeSelection.value}
            onSelect={select}
            label="Overview: drag to select a time range"
            testId="overview"
          >
            <TrackPlot
              layers={list.overview.layers}
              begin={list.extent[0]}
              end={list.extent[1]}
              top={list.overview.top}
              ticks={noTicks}
              height={30}
              label="Chunks in process() over the whole run"
            />
          </TimeBrush>
        </div>
        <div class="tracks">
          <div class="track-row axis-row">
            <span class="track-gutter" />
            <AxisLabels axis={axis} />
          </div>
          {list.tracks.map((track) => (
            <TrackRow key={track.id} track={track} axis={axis} />
          ))}
          <TimeBrush
            axis={axis}
            selected={timeSelection.value}
            onSelect={select}
            cursorText={(seconds) => `${fixed(seconds, 1)}\u2009s`}
            label="Time tracks: drag to select a range, wheel to pan, Ctrl and wheel to zoom"
            testId="tracks"
          />
        </div>
        {list.absent.map((entry) => (
          <div class="track-row" key={entry.title}>
            <div class="track-gutter">
              <h3>{entry.title}</h3>
            </div>
            <p class="track-absent">
              <span class="missing">not recorded</span>: {entry.reason}
            </p>
          </div>
        ))}
      </div>
    </section>
  );
}

const noTicks: never[] = [];

function AxisLabels({ axis }: { axis: TimeAxis }) {
  return <TimeAxisLabels range={axis.visible.value} unit="s" />;
}
