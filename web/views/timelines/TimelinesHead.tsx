import type { RefObject } from 'preact';
import type { Table } from '../../engine/table';
import { clockTime, fixed } from '../../plot/format';
import { isWhole, type Range, type TimeAxis } from '../../plot/timeAxis';
import { activeRun } from '../../state/runs';
import { timeSelection } from '../../state/selection';
import { folded, pins, wallClock } from '../../state/timelines';
import { Button } from '../../ui/Button';
import { Menu } from '../../ui/Menu';
import { PanelMenu } from '../common/PanelMenu';
import { Segmented } from '../common/Segmented';
import { useMeans } from './means';
import { isFolded } from './TrackFrame';
import type { TrackList } from './tracks';
import { workerQuantities } from './workerQuantities';

export interface TimelinesHeadProps {
  axis: TimeAxis;
  readouts: TrackList['readouts'];
  /** ids of the tracks that the run has no data for */
  absent: readonly string[];
  /** what the filter could not narrow */
  note: string;
  /** the whole view, for its picture */
  box: RefObject<Element | null>;
  /** the answer of `timeline` */
  data: Table;
  asTable: boolean;
  onTable: () => void;
}

/** Cursor, selection, what lies between two pins, and where to go. */
export function TimelinesHead({
  axis,
  readouts,
  absent,
  note,
  box,
  data,
  asTable,
  onTable,
}: TimelinesHeadProps) {
  const range = timeSelection.value;
  const [first, second] = [...pins.value].sort((a, b) => a - b);
  const hasClock = Number.isFinite(activeRun.value?.started_naive);
  return (
    <div class="timelines-head row secondary">
      <CursorText axis={axis} />
      {first !== undefined && second !== undefined ? (
        <RangeText
          name="Between pins"
          testId="measure-text"
          range={[first, second]}
          readouts={readouts}
        />
      ) : range ? (
        <RangeText name="Selection" testId="selection-text" range={range} readouts={readouts} />
      ) : (
        <span class="muted">Drag to select a time range, click to pin the cursor</span>
      )}
      {note ? (
        <span class="timelines-note muted cut" title={note} data-testid="timelines-note">
          {note}
        </span>
      ) : null}
      <div class="panel-actions row">
        {hasClock ? (
          <Segmented
            name="clock"
            label="Time as"
            options={[
              { id: 'seconds', title: 'Seconds' },
              { id: 'clock', title: 'Clock' },
            ]}
            value={wallClock.value ? 'clock' : 'seconds'}
            onChange={(chosen) => {
              wallClock.value = chosen === 'clock';
            }}
          />
        ) : null}
        {range ? (
          <Button
            data-testid="zoom-selection"
            onClick={() => {
              axis.visible.value = range;
            }}
          >
            Zoom to selection <kbd>Z</kbd>
          </Button>
        ) : null}
        <ResetButton axis={axis} />
        <ViewMenu absent={absent} />
        <PanelMenu
          title="Timelines"
          name="timelines"
          box={box}
          table={data}
          asTable={asTable}
          onTable={onTable}
        />
      </div>
    </div>
  );
}

/** Reads the visible range by itself: panning must not ask for the head. */
function ResetButton({ axis }: { axis: TimeAxis }) {
  return (
    <Button
      data-testid="reset-zoom"
      disabled={isWhole(axis.visible.value, axis.extent.value)}
      onClick={() => {
        axis.visible.value = axis.extent.value;
      }}
    >
      Reset <kbd>0</kbd>
    </Button>
  );
}

function CursorText({ axis }: { axis: TimeAxis }) {
  const cursor = axis.cursor.value ?? pins.value[pins.value.length - 1];
  const start = activeRun.value?.started_naive ?? Number.NaN;
  return (
    <span class="nowrap cursor-text" data-testid="cursor">
      Cursor <b>{cursor === undefined ? '–' : `${fixed(cursor, 1)}\u2009s`}</b>{' '}
      {cursor !== undefined && Number.isFinite(start)
        ? `${clockTime(start + cursor)} scheduler clock`
        : ''}
    </span>
  );
}

interface RangeTextProps {
  name: string;
  testId: string;
  range: Range;
  readouts: TrackList['readouts'];
}

function RangeText({ name, testId, range, readouts }: RangeTextProps) {
  const over = useMeans(range);
  const means = readouts.map((entry) => entry.over(over));
  return (
    <span data-testid={testId}>
      {name} <b>{fixed(range[1] - range[0], 1)}&#8201;s</b>{' '}
      {means.length > 0 ? `mean ${means.join(' · ')}` : ''}
    </span>
  );
}

const every: readonly { id: string; title: string; minor: boolean }[] = [
  { id: 'cores', title: 'Cores', minor: false },
  { id: 'data-rate', title: 'Data rate', minor: false },
  { id: 'event-rate', title: 'Event rate', minor: false },
  ...workerQuantities.map(({ id, title, minor = false }) => ({ id, title, minor })),
  { id: 'chunks', title: 'Chunks', minor: false },
  { id: 'workers', title: 'Workers', minor: false },
];

/** Which tracks are open, of those the run has data for. */
function ViewMenu({ absent }: { absent: readonly string[] }) {
  const tracks = every.filter(({ id }) => !absent.includes(id));
  const open = tracks.filter(({ id, minor }) => !isFolded(id, minor)).length;
  return (
    <Menu
      plain
      button={`Tracks ${open} of ${tracks.length}`}
      buttonTestId="tracks-menu"
      label={`Tracks ${open} of ${tracks.length}: which are open`}
      align="right"
      sheetClass="menu-small"
    >
      {() =>
        tracks.map(({ id, title, minor }) => (
          <label class="menu-item check" key={id}>
            <input
              type="checkbox"
              checked={!isFolded(id, minor)}
              onChange={() => {
                folded.value = { ...folded.peek(), [id]: !isFolded(id, minor) };
              }}
            />{' '}
            {title}
          </label>
        ))
      }
    </Menu>
  );
}
