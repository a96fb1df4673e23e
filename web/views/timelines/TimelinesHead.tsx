import { clockTime, fixed } from '../../charts/format';
import { isWhole, type Range, type TimeAxis } from '../../charts/timeAxis';
import { activeRun } from '../../state/runs';
import { timeSelection } from '../../state/selection';
import type { Track } from './tracks';

export interface TimelinesHeadProps {
  axis: TimeAxis;
  tracks: readonly Track[];
  /** what the filter could not narrow */
  note: string;
}

/** Cursor, selection, and where to go. */
export function TimelinesHead({ axis, tracks, note }: TimelinesHeadProps) {
  const range = timeSelection.value;
  return (
    <div class="timelines-head">
      <CursorText axis={axis} />
      {range ? <SelectionText range={range} tracks={tracks} /> : <span>Drag on any track to select a time range</span>}
      {note ? (
        <span class="timelines-note" title={note} data-testid="timelines-note">
          {note}
        </span>
      ) : null}
      <div class="panel-actions">
        {range ? (
          <button
            type="button"
            class="button"
            data-testid="zoom-selection"
            onClick={() => {
              axis.visible.value = range;
            }}
          >
            Zoom to selection <kbd>Z</kbd>
          </button>
        ) : null}
        <button
          type="button"
          class="button"
          data-testid="reset-zoom"
          disabled={isWhole(axis.visible.value, axis.extent.value)}
          onClick={() => {
            axis.visible.value = axis.extent.value;
          }}
        >
          Reset <kbd>0</kbd>
        </button>
      </div>
    </div>
  );
}

function CursorText({ axis }: { axis: TimeAxis }) {
  const cursor = axis.cursor.value;
  const start = activeRun.value?.startedNaive ?? Number.NaN;
  return (
    <span class="nowrap" data-testid="cursor">
      Cursor <b>{cursor === undefined ? '–' : `${fixed(cursor, 1)}\u2009s`}</b>{' '}
      {cursor !== undefined && Number.isFinite(start) ? `${clockTime(start + cursor)} scheduler clock` : ''}
    </span>
  );
}

const told = ['data-rate', 'event-rate', 'cpu'];

function SelectionText({ range, tracks }: { range: Range; tracks: readonly Track[] }) {
  const means = tracks
    .filter((track) => told.includes(track.id))
    .map((track) => {
      const [value] = track.over(range);
      const unit = track.unit.split(' ')[0] ?? '';
      return track.id === 'cpu' ? `CPU ${value}` : `${value}\u2009${unit}`;
    });
  return (
    <span data-testid="selection-text">
      Selection <b>{fixed(range[1] - range[0], 1)}&#8201;s</b> {means.length > 0 ? `mean ${means.join(' · ')}` : ''}
    </span>
  );
}
