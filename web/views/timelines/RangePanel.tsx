import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { partColour, partTexture } from '../../domain/coreTime';
import { useDatasets } from '../../domain/datasetColours';
import { workerLabel } from '../../domain/workers';
import type { Selection } from '../../engine/engine';
import { type Row, rowsOf } from '../../engine/table';
import { coreTime, count, duration, memory, percent, significant } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import type { Range } from '../../plot/timeAxis';
import { useAnswer } from '../../state/answers';
import { isMarked, leaveFinding } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import {
  clearDimension,
  selection,
  timeSelection,
  toggleName,
  untimedSelection,
} from '../../state/selection';
import { settledSelection } from '../../state/undo';
import { Button } from '../../ui/Button';
import { noteText } from '../common/Panel';
import { shortPath } from '../common/PathText';
import { WhyTable } from '../common/WhyTable';

/** Rows of each list: what stands out, not all there is. */
const most = 5;
const chunkColumns = 'chunk,dataset,file,entry_start,duration,times_expected';

/** What is in the selected time, each number beside that of the whole run. */
export function RangePanel({ range }: { range: Range }) {
  const run = activeRunId.value;
  const within = useMemo<Selection>(
    () => ({ ...selection.value, time: [range[0], range[1]] }),
    [selection.value, range],
  );
  const parts = useAnswer(run, 'core_time_tree', within, { depth: 1 });
  const wholeParts = useAnswer(run, 'core_time_tree', untimedSelection.value, { depth: 1 });
  const datasets = useAnswer(run, 'datasets', within);
  const { datasets: whole, colourOf } = useDatasets();
  const chunks = useAnswer(run, 'chunks', within, {
    columns: chunkColumns,
    most,
    by: 'times_expected',
  });
  const workers = useAnswer(run, 'workers', within);
  // dear, and of no use before the drag is over
  const settled = settledSelection.value.time || !isMarked.value ? settledSelection.value : within;
  const why = useAnswer(run, settled.time ? 'why' : '', settled);
  const available = rowsOf(parts.table)[0];
  const before = new Map(rowsOf(wholeParts.table).map((part) => [part.kind, part]));
  const usual = new Map(rowsOf(whole).map((row) => [row.name, row]));
  const busy = rowsOf(workers.table)
    .filter((worker) => Number.isFinite(worker.executing_mean))
    .sort((a, b) => b.executing_mean - a.executing_mean);
  return (
    <section
      class="panel range-panel"
      aria-label="What is in the selected time"
      data-testid="range-panel"
    >
      <Block
        title="This range"
        note={available ? coreTime(available.core_seconds) : duration(range[1] - range[0])}
        heads={['range', 'run']}
      >
        {rowsOf(parts.table)
          .filter((part) => part.depth === 1)
          .map((part) => (
            <tr key={part.id}>
              <th scope="row">
                <Swatch
                  colour={partColour(part, colourOf)}
                  hatched={partTexture(part) === 'hatched'}
                />
                {part.label}
              </th>
              <td>
                <b>{percent(part.share)}</b>
              </td>
              <td class="muted">{percent(before.get(part.kind)?.share ?? Number.NaN)}</td>
            </tr>
          ))}
      </Block>
      <Block
        title="Datasets"
        note="chunks that touch the range"
        heads={['chunks', 'core-s', 'µs / event', 'run']}
      >
        {rowsOf(datasets.table)
          .slice(0, most)
          .map((row) => (
            <tr key={row.name}>
              <th scope="row">
                <Button class="bar-name cut" onClick={() => toggleName('datasets', row.name)}>
                  <Swatch colour={colourOf(row.name)} />
                  {row.name}
                </Button>
              </th>
              <td>{count(row.chunks)}</td>
              <td>{significant(row.seconds)}</td>
              <td>
                <b>{microseconds(row.seconds_per_event)}</b>
              </td>
              <td class="muted">
                {microseconds(usual.get(row.name)?.seconds_per_event ?? Number.NaN)}
              </td>
            </tr>
          ))}
      </Block>
      <Block
        title="Slowest chunks"
        note="against what is expected for their dataset and size"
        heads={['from event', 'seconds', 'times']}
      >
        {rowsOf(chunks.table).map((chunk) => (
          <ChunkRow key={chunk.chunk} chunk={chunk} colourOf={colourOf} />
        ))}
      </Block>
      <Block title="Workers" note="means in the range" heads={['executing', 'CPU', 'peak memory']}>
        {busy.slice(0, most).map((worker) => (
          <tr key={worker.worker}>
            <th scope="row">
              <Button class="bar-name cut" onClick={() => toggleName('workers', worker.worker)}>
                {workers.table ? workerLabel(workers.table, worker.worker) : worker.worker}
              </Button>
            </th>
            <td>
              <b>{significant(worker.executing_mean)}</b>
            </td>
            <td>{percent(worker.cpu_mean)}</td>
            <td>{memory(worker.memory_peak)}</td>
          </tr>
        ))}
        {busy.length > most ? (
          <tr>
            <td class="muted" colSpan={4}>
              and {busy.length - most} more
            </td>
          </tr>
        ) : null}
      </Block>
      <div class="range-why">
        <h3 class="cut">
          What is special? <small>chunks that touch the range, against all others</small>
        </h3>
        <WhyTable table={why.table} most={3} />
      </div>
      <Button
        class="panel-menu range-close"
        aria-label="Clear the time selection"
        data-testid="range-close"
        onClick={() => (timeSelection.value ? clearDimension('time') : leaveFinding())}
      >
        ✕
      </Button>
      {noteText(parts, 'selection') ? <p class="muted">{noteText(parts, 'selection')}</p> : null}
    </section>
  );
}

interface ChunkRowProps {
  chunk: Row<'chunks'>;
  colourOf: (dataset: string) => string;
}

function ChunkRow({ chunk, colourOf }: ChunkRowProps) {
  return (
    <tr>
      <th scope="row" title={chunk.file}>
        <Swatch colour={colourOf(chunk.dataset)} />
        {shortPath(chunk.file) || `chunk ${count(chunk.chunk)}`}
      </th>
      <td>{count(chunk.entry_start)}</td>
      <td>{significant(chunk.duration)}</td>
      <td>
        <b>{significant(chunk.times_expected, 2)}</b>
      </td>
    </tr>
  );
}

interface BlockProps {
  title: string;
  note: string;
  heads: readonly string[];
  children: ComponentChildren;
}

function Block({ title, note, heads, children }: BlockProps) {
  return (
    <div class="range-block">
      <h3 class="cut">
        {title} <small>{note}</small>
      </h3>
      <table>
        <thead>
          <tr>
            <td />
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

const microseconds = (secondsPerEvent: number): string =>
  Number.isFinite(secondsPerEvent) ? significant(1e6 * secondsPerEvent) : '–';
