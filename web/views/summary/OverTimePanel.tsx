import { useMemo } from 'preact/hooks';
import { type CoresOverTime, coresOverTime } from '../../domain/coresOverTime';
import { useDatasets } from '../../domain/datasetColours';
import { phaseShade, phasesText, steadyText } from '../../domain/phases';
import { rowsOf } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { duration, listed, significant } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { at } from '../../plot/numbers';
import { MiniTrack } from '../../plot/Track';
import { createTimeAxis } from '../../plot/timeAxis';
import { useCoreTimeSplit } from '../../state/coreTime';
import { embedded } from '../../state/embed';
import { isFiltered, selection, timeSelection, untimedSelection } from '../../state/selection';
import { brushTime } from '../../state/undo';
import { useAnswer } from '../../state/useAnswer';
import { useIsExpanded } from '../../ui/useExpanded';
import { noteText, Panel } from '../common/Panel';

const bins = 400;
/** Room for head, captions and axis of a panel that fills the page [px]. */
const around = 200;

/** The parts of the core-time over time, in the colours of the picture above. */
export function OverTimePanel() {
  const by = useCoreTimeSplit().by === 'datasets' ? 'datasets' : 'functions';
  const answer = useAnswer('core_time_bins', untimedSelection.value, { by, bins });
  const phases = useAnswer('phases');
  const { colourOf } = useDatasets();
  const within = rowsOf(useAnswer('phases', selection.value).table);
  const course = useMemo(() => rowsOf(phases.table), [phases.table]);
  const shown = useMemo(
    () =>
      answer.table
        ? coresOverTime(answer.table, by === 'datasets' ? colourOf : undefined)
        : undefined,
    [answer.table, by, colourOf],
  );
  const shade = useMemo(() => phaseShade(course), [course]);
  const estimated = shown?.estimated ?? false;
  const hasProcess = rowsOf(answer.table).some(({ part }) => part === 'inside_process');
  return (
    <Panel
      title="Over time"
      subtitle={
        <span title={phasesText(within, timeSelection.value !== undefined)}>
          {listed([
            estimated ? (hasProcess ? 'estimated, except process()' : 'estimated') : '',
            noteText(answer, 'selection'),
            embedded.value ? '' : steadyText(within, timeSelection.value !== undefined),
          ])}
        </span>
      }
      answer={answer}
      name="cores"
      testId="cores"
    >
      {shown ? (
        <>
          <CoresPlot shown={shown} shade={shade} />
          <Legend entries={shown.legend} />
          {estimated && hasProcess && noteText(answer, 'source') ? (
            <p class="plot-caption tiny muted">{noteText(answer, 'source')}.</p>
          ) : null}
        </>
      ) : (
        <p class="missing">{answer.table ? nothingText() : '\u00a0'}</p>
      )}
    </Panel>
  );
}

const nothingText = () =>
  isFiltered.value ? 'No data matches the filters.' : 'No cores and no chunks were recorded.';

function CoresPlot({ shown, shade }: { shown: CoresOverTime; shade: Layer }) {
  const expanded = useIsExpanded();
  const axis = useMemo(() => createTimeAxis(shown.begin, shown.end), [shown]);
  const layers = useMemo(() => [shade, ...shown.layers], [shade, shown]);
  const height = expanded ? Math.max(160, window.innerHeight - around) : embedded.value ? 116 : 150;
  const extent = axis.extent.value;
  return (
    <MiniTrack
      over={extent}
      caption={shown.layers.at(-1)?.kind === 'line' ? 'cores; line: available' : 'cores'}
      unit="s"
      brush={{ axis, selected: timeSelection.value, onSelect: brushTime }}
      layers={layers}
      top={shown.top}
      height={height}
      label={`Cores over ${duration(at(extent, 1) - at(extent, 0))}, by ${shown.legend.map(({ label }) => label).join(', ')}; up to ${significant(shown.top)}`}
    />
  );
}
