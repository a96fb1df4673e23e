import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { coresOverTime } from '../../domain/coresOverTime';
import type { Phase } from '../../domain/phases';
import type { WorkerMark } from '../../domain/workerMarks';
import type { Table } from '../../engine/table';
import type { TimeAxis } from '../../plot/timeAxis';
import { activeRun } from '../../state/runs';
import { chunkSelection, timeSelection, workerSelection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { useMeans } from './means';
import { SumTrack } from './SumTrack';
import { type TrackList, trackList } from './tracks';
import { useWindow } from './useWindow';

export interface SumTracksProps {
  axis: TimeAxis;
  /** of the whole run */
  list: TrackList;
  /** answers of `timeline` and `throughput` about the whole run */
  timeline: Table<'timeline'>;
  throughput: Table<'throughput'>;
  phases: readonly Phase[];
  marks: readonly WorkerMark[];
  /** what stands beneath the cores, before the rates */
  children: ComponentChildren;
}

const pixels = 1200;
const finerBins = 2048;
/** As many as the core makes of a run: parts are made to fit over the whole of it. */
const finestCores = 10_000;
const noMarks: readonly WorkerMark[] = [];

/**
 * What is known of the cluster as a whole; where the picture is zoomed, in intervals as fine as its
 * pixels.
 */
export function SumTracks({
  axis,
  list,
  timeline,
  throughput,
  phases,
  marks,
  children,
}: SumTracksProps) {
  const whole = useMeans(undefined);
  const selected = useMeans(timeSelection.value);
  const { time } = useWindow(axis, pixels);
  const finer = useAnswer(time ? 'throughput' : '', time ? { ...chunkSelection.value, time } : {}, {
    bins: finerBins,
    window: 'selection',
  });
  const finerCores = useAnswer(time && list.parts ? 'core_time_bins' : '', chunkSelection.value, {
    bins: finestCores,
  });
  const run = activeRun.value;
  const someWorkers = workerSelection.value.workers !== undefined;
  const detail = time ? finer.table : undefined;
  const fine = time ? finerCores.table : undefined;
  const parts = useMemo(() => (fine && coresOverTime(fine)) ?? list.parts, [fine, list]);
  const shown = useMemo(
    () =>
      detail
        ? (trackList(timeline, throughput, run?.elapsed ?? Number.NaN, {
            parts,
            finer: detail,
            someWorkers,
          }) ?? list)
        : list,
    [detail, timeline, throughput, list, run, someWorkers, parts],
  );
  return (
    <>
      {shown.tracks.map((track) => (
        <Fragment key={track.id}>
          <SumTrack
            track={track}
            selected={selected}
            whole={whole}
            axis={axis}
            phases={phases}
            marks={track.id === 'cores' ? marks : noMarks}
            data={track.id === 'cores' && timeline.rows > 0 ? timeline : (detail ?? throughput)}
          />
          {track.id === 'cores' ? children : null}
        </Fragment>
      ))}
    </>
  );
}
