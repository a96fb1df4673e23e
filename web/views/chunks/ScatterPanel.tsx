import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useAllChunks, useChunks } from '../../domain/chunks';
import { quantityOf } from '../../domain/columns';
import { useDatasets } from '../../domain/datasetColours';
import { axisColumns, greyBeside, pointsOf, stripsOf } from '../../domain/points';
import { noteNumber, rowsOf, type Table } from '../../engine/table';
import { densityAbove } from '../../plot/drawScatter';
import { count, duration, listed, significant } from '../../plot/format';
import type { FitLine } from '../../plot/ScatterLines';
import { withoutRanges } from '../../state/ranges';
import { isFiltered, selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';
import { useMadeOf } from '../../ui/madeOf';
import { ChunkScatter, chunkAxis, DatasetLegend, useChunksOfFinding } from '../common/ChunkScatter';
import { noteText, Panel } from '../common/Panel';
import { QuantitySelect } from './QuantitySelect';

interface Axes {
  x: string;
  y: string;
  logX: boolean;
  logY: boolean;
}

/** In place of a column: the datasets side by side. */
const byDataset = 'dataset';
/** More have no room for their names. */
const mostStrips = 12;

/** When each chunk ran, and how long for its size. */
const atFirst: Axes = { x: 't_start', y: 'times_expected', logX: false, logY: true };
/** What is expected of a chunk is of its dataset: nothing of a slow one stands out there. */
const perEvent: Axes = { x: 't_start', y: 'seconds_per_event', logX: false, logY: true };
const ofAllAlike = ['slow-dataset', 'slow-host', 'slow-site'];
const byEvents: Axes = { x: 'events', y: 'duration', logX: false, logY: false };

/** Chosen ones are kept while one looks at another view. */
const axes = signal<Axes | undefined>(undefined);

/** Of what is expected of a chunk; an outlier is one that took three times as long (docs/metrics.md). */
const expectedLines: readonly FitLine[] = [
  { label: 'as expected', detail: '', colour: '--text-3', fixed: 1, slope: 0 },
  { label: 'outlier from', detail: '3 times', colour: '--line-ctl', fixed: 3, slope: 0 },
];

/**
 * Any two quantities of the chunks against each other; at first each one's time against what its
 * events should take, or its time against its events where nothing is expected.
 */
export function ScatterPanel({ finding }: { finding: string | undefined }) {
  const { datasets, colourOf } = useDatasets();
  const whole = useAllChunks().table;
  const isExpected = useMadeOf(
    whole,
    'expected',
    () => whole?.has('times_expected') && whole.numbers('times_expected').some(Number.isFinite),
  );
  const isOfAll = finding !== undefined && ofAllAlike.includes(finding);
  const now = axes.value ?? (isOfAll ? perEvent : isExpected ? atFirst : byEvents);
  const { x, y, logX, logY } = now;
  const names = useMadeOf(datasets, 'names', () => rowsOf(datasets).map(({ name }) => name));
  const fewNames = names.length > 0 && names.length <= mostStrips;
  const inStrips = x === byDataset && fewNames;
  const narrowed = withoutRanges(selection.value, inStrips ? [y] : [x, y]);
  const columns = axisColumns(useAnswer('chunk_columns').table);
  const answer = useChunks(narrowed);
  // what a finding is about stays as it is among the rest, which becomes pale
  const about = useChunksOfFinding(inStrips ? [y] : [x, y]);
  const fits = useAnswer('datasets', narrowed);
  const { table } = answer;
  // what the filter leaves out stays in grey, where dots are told apart at all
  const shown = isFiltered.value && whole && whole.rows < densityAbove ? whole : table;
  // what was chosen in another run may not be here
  const has = shown?.has(x) && shown.has(y);
  const makePoints = () => {
    if (!shown || !table || !has) return undefined;
    const all = inStrips ? stripsOf(shown, y, names, colourOf) : pointsOf(shown, x, y, colourOf);
    const kept = about ?? table;
    return shown === kept ? all : greyBeside(all, shown, kept);
  };
  const inputs = [table, about, has, x, y, inStrips, names, colourOf];
  const points = useMadeOf(shown, 'points', makePoints, inputs);
  const isByEvents = x === 'events' && y === byEvents.y;
  const isOfExpected = y === atFirst.y;
  const lines = useMemo(
    () =>
      isByEvents && fits.table ? fitLines(fits.table, colourOf) : isOfExpected ? expectedLines : [],
    [isByEvents, isOfExpected, fits.table, colourOf],
  );
  const set = (change: Partial<Axes>) => {
    axes.value = { ...now, ...change };
  };
  const of = { x: quantityOf(x), y: quantityOf(y) };
  const early = noteNumber(table, 'early');
  const dense = (table?.rows ?? 0) > densityAbove;
  const subtitle = [
    table ? `${count(table.rows)} chunks` : '',
    // where nothing tells which worker ran a chunk, all are in colour
    about && table && about.rows < table.rows
      ? `${count(about.rows)} of them in colour, as the finding says`
      : '',
    isByEvents && lines.length > 0
      ? 'a line per dataset (Theil–Sen fit): fixed cost + time per event'
      : '',
    dense ? 'colour: how many chunks; slow ones as dots' : '',
    early > 0 ? `${count(early)} ended early: hollow` : '',
    noteText(answer, 'selection'),
  ];
  return (
    <Panel
      title={
        isByEvents
          ? 'Run time and events'
          : x === atFirst.x && isOfExpected
            ? 'Chunk time against expected'
            : `${capital(of.y.label)} ${inStrips ? 'by' : 'and'} ${of.x.label}`
      }
      subtitle={listed(subtitle)}
      answers={[answer, fits]}
      data={table}
      name="chunk-scatter"
      className="span-8"
      testId="scatter-panel"
    >
      <div class="chart-tools row">
        <QuantitySelect
          label="Vertical axis"
          columns={columns}
          value={y}
          onChange={(next) => set({ y: next })}
          testId="scatter-y"
        />
        <Toggle id="log-y" on={logY} title="log" onChange={(on) => set({ logY: on })} />
        <span class="muted">against</span>
        <QuantitySelect
          label="Horizontal axis"
          columns={fewNames ? [byDataset, ...columns] : columns}
          value={x}
          onChange={(next) => set({ x: next })}
          testId="scatter-x"
        />
        {inStrips ? null : (
          <Toggle id="log-x" on={logX} title="log" onChange={(on) => set({ logX: on })} />
        )}
        {isByEvents ? null : (
          <Button class="link" onClick={() => set(byEvents)}>
            run time and events
          </Button>
        )}
        {isExpected && !(x === atFirst.x && isOfExpected) ? (
          <Button class="link" onClick={() => set(atFirst)}>
            time and expected
          </Button>
        ) : null}
      </div>
      {points && shown && table ? (
        <ChunkScatter
          table={shown}
          points={points}
          x={inStrips ? undefined : x}
          y={y}
          xAxis={inStrips ? { ...chunkAxis(byDataset), names } : chunkAxis(x, logX)}
          yAxis={chunkAxis(y, logY)}
          height={450}
          lines={lines}
          label={`${of.y.label} ${inStrips ? 'by' : 'against'} ${of.x.label} of ${count(table.rows)} chunks`}
          testId="scatter"
        />
      ) : (
        <div style={{ height: '450px' }} />
      )}
      {datasets && (!isByEvents || lines.length < datasets.rows) && !inStrips ? (
        <DatasetLegend datasets={datasets} colourOf={colourOf} />
      ) : null}
    </Panel>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the core's line says of each dataset that has one. */
function fitLines(table: Table<'datasets'>, colourOf: (name: string) => string): FitLine[] {
  return rowsOf(table)
    .filter((row) => Number.isFinite(row.seconds_per_event_slope))
    .slice(0, 12)
    .map(({ name, fixed_seconds: fixed, seconds_per_event_slope: slope }) => {
      const rate = slope > 0 ? `${significant(1 / slope / 1000)}\u2009kHz` : 'no cost per event';
      return {
        label: name,
        detail: `${rate}, +${duration(fixed)}`,
        colour: colourOf(name),
        fixed,
        slope,
      };
    });
}

interface ToggleProps {
  id: string;
  on: boolean;
  title: string;
  onChange: (on: boolean) => void;
}

function Toggle({ id, on, title, onChange }: ToggleProps) {
  return (
    <label class="toggle" data-testid={`scatter-${id}`}>
      <input type="checkbox" checked={on} onChange={() => onChange(!on)} />
      {title}
    </label>
  );
}
