import '../../styles/timelines-parts.css';
import '../../styles/timelines.css';
import { computed, effect } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { coresOverTime } from '../../domain/coresOverTime';
import { workerMarks } from '../../domain/workerMarks';
import { rowsOf } from '../../engine/table';
import { TimeAxisLabels } from '../../plot/TimeAxisLabels';
import { TimeBrush } from '../../plot/TimeBrush';
import { Track } from '../../plot/Track';
import { createTimeAxis, isWhole, rounded, type TimeAxis, within } from '../../plot/timeAxis';
import { findingsOf, firstOfWorkers, shownTime } from '../../state/finding';
import { activeRun } from '../../state/runs';
import {
  chunkSelection,
  taskSelection,
  timeSelection,
  workerSelection,
} from '../../state/selection';
import { barKind, pinAt, pins, wallClock, zoom } from '../../state/timelines';
import { brushTime } from '../../state/undo';
import { useAnswer, useHeld } from '../../state/useAnswer';
import { hideTooltip, isTooltipPinned, showTooltip } from '../../ui/tooltip';
import { Absent } from '../common/Absent';
import { noteText } from '../common/Panel';
import { RawTable } from '../common/RawTable';
import { ViewVerdict } from '../common/ViewVerdict';
import { ChunkTrack } from './ChunkTrack';
import { CursorReport } from './CursorReport';
import { MachineTracks } from './MachineTracks';
import { PhaseStrip } from './PhaseStrip';
import { RangePanel } from './RangePanel';
import { SumTracks } from './SumTracks';
import { type Surface, trackAt } from './surface';
import { TimelinesHead } from './TimelinesHead';
import { AbsentRow } from './TrackFrame';
import { decimalsFor, momentText } from './timeText';
import { pendingTrackAnswers } from './trackAnswers';
import { trackList } from './tracks';
import { useTimelineKeys } from './useTimelineKeys';
import { WorkerRows } from './WorkerRows';
import { WorkerTrack } from './WorkerTrack';
import { workerQuantities } from './workerQuantities';

/** The whole run at the pixels of a wide window; a zoomed picture asks for its own. */
const bins = 1200;
const overviewHeight = 30;

/** When did it run well? All tracks on one time axis. */
export function TimelinesView() {
  const run = activeRun.value;
  const [axis] = useState(() => createTimeAxis(0, 1));
  const timeline = useAnswer('timeline', workerSelection.value);
  const throughput = useAnswer('throughput', chunkSelection.value, { bins });
  const workers = useAnswer('workers', workerSelection.value);
  const phaseRows = useAnswer('phases');
  const findings = useAnswer('findings');
  const tasks = useAnswer('tasks', taskSelection.value);
  const wantsSome = workerSelection.value.workers !== undefined;
  // the picture is of all workers until that of some is there
  const someWorkers = useHeld(timeline, wantsSome);
  const cores = useAnswer(someWorkers && wantsSome ? '' : 'core_time_bins', chunkSelection.value, {
    bins,
  });
  const all = useAnswer('workers').table?.rows ?? 0;
  const shownWorkers = useHeld(workers, workerSelection.value);
  const list = useMemo(
    () =>
      timeline.table && throughput.table
        ? trackList(timeline.table, throughput.table, run?.elapsed ?? Number.NaN, {
            parts: cores.table && !someWorkers ? coresOverTime(cores.table) : undefined,
            someWorkers,
          })
        : undefined,
    [timeline.table, throughput.table, cores.table, run, someWorkers],
  );
  const phases = useMemo(() => rowsOf(phaseRows.table), [phaseRows.table]);
  const found = useMemo(() => (findings.table ? findingsOf(findings.table) : []), [findings.table]);
  const timed = found.filter((finding) => finding.selection.time);
  const blamed = firstOfWorkers(found);
  const marks = useMemo(() => (workers.table ? workerMarks(workers.table) : []), [workers.table]);
  const [surface] = useState<Surface>(() => new Map());
  const box = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  useZoom(axis, list?.extent[0] ?? 0, list?.extent[1] ?? 1, list !== undefined);
  useTimelineKeys(axis);
  useEffect(() => hideTooltip, []);

  const hasTasks = (tasks.table?.rows ?? 0) > 0;
  const byWorker = hasTasks && (barKind.value ?? 'tasks') === 'tasks';
  const shownTasks = byWorker ? tasks.table : undefined;
  // a thousand cells: made anew with their answers only
  const workerRows = useMemo(
    () =>
      workers.table && workers.table.rows > 0 ? (
        <WorkerRows axis={axis} surface={surface} workers={workers.table} tasks={shownTasks} />
      ) : null,
    [axis, surface, workers.table, shownTasks],
  );

  const refused = timeline.error ?? throughput.error ?? cores.error;
  if (refused) return <p class="refusal">{refused}</p>;
  if (!timeline.table || !throughput.table || !workers.table || !(someWorkers || cores.table))
    return <div class="panel panel-waiting timelines" data-testid="view-timelines" />;
  if (!list) {
    return (
      <section class="panel" data-testid="view-timelines">
        <Absent
          centered
          title="No times in this bundle"
          reason="Neither worker series nor chunks were recorded."
          recordable
          addable
        />
      </section>
    );
  }
  const ticks = timeline.table;
  const hasTicks = ticks.rows > 0;
  const clock =
    wallClock.value && Number.isFinite(run?.started_naive) ? run?.started_naive : undefined;
  const text = (moment: number) => {
    const [begin, end] = axis.visible.peek();
    return momentText(moment, decimalsFor((end - begin) / bins), clock);
  };
  const tracks = (
    <div class={workers.table.rows > 0 ? 'timelines-body timelines-numbers' : 'timelines-body'}>
      <div class="track-row overview">
        <div class="track-gutter">
          <h2>Overview</h2>
          <span class="muted">drag to select</span>
        </div>
        <TimeBrush
          axis={axis}
          whole
          selected={shownTime.value}
          onSelect={brushTime}
          label="Overview: drag to select a time range"
          positionText={text}
          testId="overview"
        >
          <Track
            over={list.extent}
            layers={list.overview.layers}
            top={list.overview.top}
            ticks={noTicks}
            height={overviewHeight}
            label="Cores over the whole run"
          />
        </TimeBrush>
      </div>
      <div class="track-row phase-row">
        <span class="track-gutter muted">
          {timed.length > 0 ? 'Phases and findings' : 'Phases'}
        </span>
        <PhaseStrip axis={axis} phases={phases} findings={timed} />
      </div>
      <div class="tracks">
        <CursorReport axis={axis} momentText={text} />
        <div class="track-row axis-row">
          <span class="track-gutter" />
          <AxisLabels axis={axis} clock={clock} />
        </div>
        <SumTracks
          axis={axis}
          list={list}
          timeline={ticks}
          throughput={throughput.table}
          phases={phases}
          marks={marks}
        >
          {byWorker ? null : (
            <ChunkTrack axis={axis} surface={surface} phases={phases} hasTasks={hasTasks} />
          )}
          {workerRows}
        </SumTracks>
        {hasTicks
          ? workerQuantities.map((quantity) => (
              <WorkerTrack
                key={quantity.id}
                quantity={quantity}
                axis={axis}
                surface={surface}
                timeline={ticks}
                workers={workers.table ?? ticks}
                of={shownWorkers}
                wanted={workerSelection.value.workers?.length ?? all}
                phases={phases}
              />
            ))
          : null}
        <MachineTracks axis={axis} phases={phases} />
        <TimeBrush
          axis={axis}
          selected={shownTime.value}
          onSelect={brushTime}
          pins={pins.value}
          samples={hasTicks ? ticks.numbers('t') : throughput.table.numbers('t0')}
          cursorText={text}
          onHover={(event, moment) => {
            const under = event && trackAt(surface, event, moment);
            for (const handler of surface.values())
              if (handler !== under?.handler) handler.hover?.(undefined);
            if (isTooltipPinned()) return;
            const content = under?.handler.hover?.(under.point);
            if (content && event) showTooltip(event.clientX, event.clientY, content);
            else hideTooltip();
          }}
          onClick={(event, moment) => {
            const under = trackAt(surface, event, moment);
            if (under?.handler.click?.(under.point)) return true;
            const selected = timeSelection.peek();
            // beside a selection a click takes it back
            if (selected && (moment < selected[0] || moment > selected[1])) return false;
            pinAt(moment);
            return true;
          }}
          onDoubleClick={(event, moment) => {
            const under = trackAt(surface, event, moment);
            under?.handler.doubleClick?.(under.point);
          }}
          label="Time tracks: drag to select a range, click to pin, wheel to pan, Ctrl and wheel to zoom"
          testId="tracks"
        />
      </div>
      {list.absent.map((entry) => (
        <AbsentRow key={entry.id} {...entry} />
      ))}
      {hasTicks ? null : (
        <AbsentRow
          id="workers"
          title="CPU, memory, tasks"
          reason={noteText(timeline, 'missing') || 'worker tracking was not recorded'}
        />
      )}
      {noteText(throughput, 'missing') && !hasTasks ? (
        <AbsentRow id="chunks" title="Chunks" reason={noteText(throughput, 'missing')} />
      ) : null}
    </div>
  );
  const range = shownTime.value;
  const { datasets, files, hosts, ranges } = chunkSelection.value;
  return (
    <div class="stack">
      <ViewVerdict
        text={blamed ? `${blamed.title}.` : noteText(workers, 'verdict') || unwatched}
        limits={[
          // of a worker that is blamed the finding has said it
          blamed?.view === 'timelines' ? noteText(workers, 'verdict') : '',
          noteText(workers, 'limits'),
        ].join(' ')}
        testId="timelines-verdict"
      />
      <Frame box={box} waiting={timeline.pending || throughput.pending || cores.pending}>
        <TimelinesHead
          axis={axis}
          readouts={list.readouts}
          absent={[...list.absent, ...(hasTicks ? [] : workerQuantities)].map(({ id }) => id)}
          box={box}
          data={ticks}
          asTable={asTable}
          onTable={() => setAsTable((old) => !old)}
          note={
            datasets || files || hosts || ranges
              ? 'worker tracks cannot be split by dataset, file, host or chunk'
              : ''
          }
        />
        {asTable ? <RawTable table={ticks} /> : tracks}
      </Frame>
      {range ? <RangePanel range={range} /> : null}
    </div>
  );
}

const noTicks: never[] = [];

interface FrameProps {
  box: RefObject<HTMLElement | null>;
  waiting: boolean;
  children: ComponentChildren;
}

/** Around it all; only this is drawn again when a track waits for an answer, or no longer does. */
function Frame({ box, waiting, children }: FrameProps) {
  const isBusy = pendingTrackAnswers.value > 0 || waiting;
  return (
    <section
      ref={box}
      class={isBusy ? 'panel panel-waiting timelines' : 'panel timelines'}
      aria-label="Timelines"
      aria-busy={isBusy}
      data-testid="view-timelines"
    >
      {children}
    </section>
  );
}

/** Where nothing is known of workers. */
const unwatched = 'When workers came and went was not recorded.';

function AxisLabels({ axis, clock }: { axis: TimeAxis; clock: number | undefined }) {
  return <TimeAxisLabels range={axis.visible.value} unit="s" clock={clock} />;
}

/** The address follows the zoom when it rests. */
const restMilliseconds = 200;

/** Keeps the axis' extent that of the run, and its visible part and the address alike. */
function useZoom(axis: TimeAxis, begin: number, end: number, known: boolean): void {
  useMemo(() => {
    if (!known) return;
    axis.extent.value = [begin, end];
    axis.visible.value = zoom.peek()
      ? within(zoom.peek() ?? [begin, end], [begin, end])
      : [begin, end];
  }, [axis, begin, end, known]);
  useEffect(() => {
    if (!known) return;
    const wanted = computed(() => zoom.value);
    const stopIn = effect(() => {
      const range = wanted.value ?? axis.extent.peek();
      const visible = axis.visible.peek();
      if (range[0] !== visible[0] || range[1] !== visible[1])
        axis.visible.value = within(range, axis.extent.peek());
    });
    let timer = 0;
    const stopOut = effect(() => {
      const visible = axis.visible.value;
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        const length = visible[1] - visible[0];
        const next = isWhole(visible, axis.extent.peek())
          ? undefined
          : ([rounded(visible[0], length), rounded(visible[1], length)] as const);
        if (JSON.stringify(next) !== JSON.stringify(zoom.peek())) zoom.value = next;
      }, restMilliseconds);
    });
    return () => {
      clearTimeout(timer);
      stopIn();
      stopOut();
    };
  }, [axis, known]);
}
