import { useMemo } from 'preact/hooks';
import { datasetColours } from '../../domain/datasetColours';
import { phaseShade, phasesText, steadyText } from '../../domain/phases';
import { rowsOf, type Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { duration, significant } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { at, largest } from '../../plot/numbers';
import { roundedUp } from '../../plot/scales';
import type { Steps } from '../../plot/steps';
import { TimeAxisLabels } from '../../plot/TimeAxisLabels';
import { TimeBrush } from '../../plot/TimeBrush';
import { Track } from '../../plot/Track';
import { createTimeAxis } from '../../plot/timeAxis';
import { useAnswer } from '../../state/answers';
import { coreTimeSplit } from '../../state/coreTime';
import { embedded } from '../../state/embed';
import { brushTime } from '../../state/history';
import { activeRunId } from '../../state/runs';
import { selection, timeSelection, untimedSelection } from '../../state/selection';
import { useIsExpanded } from '../../ui/useExpanded';
import { noteText, Panel } from '../common/Panel';

const bins = 400;
/** Room for head, captions and axis of a panel that fills the page [px]. */
const around = 200;

type Bins = Table<'core_time_bins'>;

/** The parts of the core-time over time, in the colours of the picture above. */
export function OverTimePanel() {
  const run = activeRunId.value;
  const by = coreTimeSplit.value === 'datasets' ? 'datasets' : 'functions';
  const answer = useAnswer(run, 'core_time_bins', untimedSelection.value, { by, bins });
  const phases = useAnswer(run, 'phases');
  const datasets = useAnswer(run, 'datasets');
  const within = rowsOf(useAnswer(run, 'phases', selection.value).table);
  const course = useMemo(() => rowsOf(phases.table), [phases.table]);
  const colourOf = useMemo(
    () => (datasets.table ? datasetColours(datasets.table) : () => '--c-rest'),
    [datasets.table],
  );
  const shown = useMemo(
    () =>
      answer.table
        ? stacked(answer.table, phaseShade(course), by === 'datasets' ? colourOf : undefined)
        : undefined,
    [answer.table, course, by, colourOf],
  );
  const estimated = shown?.estimated ?? false;
  return (
    <Panel
      title="Over time"
      subtitle={
        <span title={phasesText(within, timeSelection.value !== undefined)}>
          {[
            'the same parts and colours',
            estimated ? 'but for process() estimated' : '',
            noteText(answer, 'selection'),
            embedded.value ? '' : steadyText(within, timeSelection.value !== undefined),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      }
      answers={[answer]}
      twin={answer.table}
      name="cores"
      testId="cores"
    >
      {shown ? (
        <>
          <CoresOverTime shown={shown} />
          <Legend entries={shown.legend} />
          {estimated && noteText(answer, 'source') ? (
            <p class="plot-caption">{noteText(answer, 'source')}.</p>
          ) : null}
        </>
      ) : (
        <p class="missing">{answer.table ? 'No cores and no chunks were recorded.' : '\u00a0'}</p>
      )}
    </Panel>
  );
}

interface Stacked {
  begin: number;
  end: number;
  top: number;
  layers: Layer[];
  legend: { id: string; label: string; colour: string; hatched?: boolean }[];
  estimated: boolean;
}

const colours: Record<string, string> = {
  inside_process: '--ph-process',
  processor_tasks: '--ph-process',
  outside_process: '--ph-outside',
  other_tasks: '--ph-tasks',
};

/** Areas over each other, the topmost part drawn first. */
function stacked(
  table: Bins,
  shade: Layer,
  datasetColour?: (name: string) => string,
): Stacked | undefined {
  const rows = rowsOf(table);
  const tops = table.numbers('top');
  const width = table.rows > 0 ? tops.length / table.rows : 0;
  const begin = Number(table.notes.t0);
  const end = Number(table.notes.t1);
  if (rows.length === 0 || !(end > begin)) return undefined;
  const edges = Float64Array.from(
    { length: width + 1 },
    (_, bin) => begin + ((end - begin) * bin) / width,
  );
  const stepsOf = (row: number): Steps => ({
    edges,
    values: tops.slice(row * width, (row + 1) * width),
  });
  const layers: Layer[] = [shade];
  const legend: Stacked['legend'] = [];
  let top = 0;
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    const part = rows[row];
    if (!part) continue;
    const steps = stepsOf(row);
    const most = largest(steps.values);
    top = Math.max(top, most);
    if (part.part === 'available') continue;
    const cores = table.numbers('cores').subarray(row * width, (row + 1) * width);
    if (!(largest(cores) > 0)) continue;
    const isHatched = part.part === 'idle' || part.part === 'not_in_process';
    const colour =
      part.part === 'inside_process' && datasetColour
        ? datasetColour(part.label)
        : (colours[part.part] ?? '--ph-tasks');
    if (isHatched) layers.push({ kind: 'hatch', steps, ground: '--ph-idle', ink: '--ph-idle-ink' });
    else if (part.part === 'lost_work')
      layers.push({ kind: 'hatch', steps, ground: '--ph-lost', ink: '--surface' });
    else layers.push({ kind: 'area', steps, colour });
    legend.unshift({
      id: `${part.part} ${part.label}`,
      label: part.label,
      colour: part.part === 'lost_work' ? '--ph-lost' : colour,
      hatched: isHatched,
    });
  }
  const available = rows.findIndex(({ part }) => part === 'available');
  if (available >= 0)
    layers.push({ kind: 'line', steps: stepsOf(available), colour: '--text', width: 1.25 });
  return {
    begin,
    end,
    top: roundedUp(top, 3),
    layers,
    legend,
    estimated: rows.some((part) => part.exact === 0 && part.part !== 'inside_process'),
  };
}

function CoresOverTime({ shown }: { shown: Stacked }) {
  const expanded = useIsExpanded();
  const axis = useMemo(() => createTimeAxis(shown.begin, shown.end), [shown]);
  const height = expanded ? Math.max(160, window.innerHeight - around) : embedded.value ? 116 : 150;
  const extent = axis.extent.value;
  return (
    <div class="mini-track over-time">
      <TimeBrush
        axis={axis}
        whole
        selected={timeSelection.value}
        onSelect={brushTime}
        label="Drag to select a time range"
        positionText={duration}
      >
        <p class="plot-caption">cores; line: available</p>
        <Track
          over={extent}
          layers={shown.layers}
          top={shown.top}
          wanted={3}
          height={height}
          label={`Cores over ${duration(at(extent, 1) - at(extent, 0))}, by ${shown.legend.map(({ label }) => label).join(', ')}; up to ${significant(shown.top)}`}
        />
      </TimeBrush>
      <TimeAxisLabels range={extent} unit="s" below />
    </div>
  );
}
