import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { partColour, partTexture } from '../../domain/coreTime';
import { useDatasets } from '../../domain/datasetColours';
import { workerLabel } from '../../domain/workers';
import type { Selection } from '../../engine/engine';
import { rowsOf } from '../../engine/table';
import {
  coreTime,
  count,
  duration,
  memory,
  microseconds,
  percent,
  significant,
} from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import type { Range } from '../../plot/timeAxis';
import { isMarked, leaveFinding } from '../../state/finding';
import {
  clearDimension,
  selection,
  timeSelection,
  toggleName,
  untimedSelection,
} from '../../state/selection';
import { settledSelection } from '../../state/undo';
import { useAnswer } from '../../state/useAnswer';
import { Button, Close } from '../../ui/Button';
import { noteText } from '../common/Panel';
import { shortPath } from '../common/PathText';
import { WhyTable } from '../common/WhyTable';

/** Rows of each list: what stands out, not all there is. */
const most = 5;
const noChunk = 'No chunk was in process() then.';
const chunkColumns = 'chunk,dataset,file,entry_start,duration,times_expected';

/** What is in the selected time, each number beside that of the whole run. */
export function RangePanel({ range }: { range: Range }) {
  const within = useMemo<Selection>(
    () => ({ ...selection.value, time: [range[0], range[1]] }),
    [selection.value, range],
  );
  const parts = useAnswer('core_time_tree', within, { depth: 1 });
  const wholeParts = useAnswer('core_time_tree', untimedSelection.value, { depth: 1 });
  const datasets = useAnswer('datasets', within);
  const { datasets: whole, colourOf } = useDatasets();
  const chunks = useAnswer('chunks', within, {
    columns: chunkColumns,
    most,
    by: 'times_expected',
  });
  const workers = useAnswer('workers', within);
  // dear, and of no use before the drag is over
  const settled = settledSelection.value.time || !isMarked.value ? settledSelection.value : within;
  const why = useAnswer(settled.time ? 'why' : '', settled);
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
        rows={rowsOf(parts.table)
          .filter((part) => part.depth === 1)
          .map((part) => ({
            id: part.id,
            name: (
              <>
                <Swatch
                  colour={partColour(part, colourOf)}
                  hatched={partTexture(part) === 'hatched'}
                />
                {part.label}
              </>
            ),
            cells: [
              <b>{percent(part.share)}</b>,
              muted(percent(before.get(part.kind)?.share ?? Number.NaN)),
            ],
          }))}
      />
      <Block
        title="Datasets"
        note="chunks that touch the range"
        heads={['chunks', 'core-s', 'µs / event', 'run']}
        none={datasets.table && noChunk}
        rows={rowsOf(datasets.table)
          .slice(0, most)
          .map((row) => ({
            id: row.name,
            name: (
              <Button class="bar-name cut" onClick={() => toggleName('datasets', row.name)}>
                <Swatch colour={colourOf(row.name)} />
                {row.name}
              </Button>
            ),
            cells: [
              count(row.chunks),
              significant(row.seconds),
              <b>{microseconds(row.seconds_per_event)}</b>,
              muted(microseconds(usual.get(row.name)?.seconds_per_event ?? Number.NaN)),
            ],
          }))}
      />
      <Block
        title="Slowest chunks"
        note="against what is expected for their dataset and size"
        heads={['from event', 'seconds', 'times']}
        none={chunks.table && noChunk}
        rows={rowsOf(chunks.table).map((chunk) => ({
          id: String(chunk.chunk),
          name: (
            <span title={chunk.file}>
              <Swatch colour={colourOf(chunk.dataset)} />
              {shortPath(chunk.file) || `chunk ${count(chunk.chunk)}`}
            </span>
          ),
          cells: [
            count(chunk.entry_start),
            significant(chunk.duration),
            <b>{significant(chunk.times_expected, 2)}</b>,
          ],
        }))}
      />
      <Block
        title="Workers"
        note="means in the range"
        heads={['executing', 'CPU', 'peak memory']}
        rows={busy.slice(0, most).map((worker) => ({
          id: worker.worker,
          name: (
            <Button class="bar-name cut" onClick={() => toggleName('workers', worker.worker)}>
              {workers.table ? workerLabel(workers.table, worker.worker) : worker.worker}
            </Button>
          ),
          cells: [
            <b>{significant(worker.executing_mean)}</b>,
            percent(worker.cpu_mean),
            memory(worker.memory_peak),
          ],
        }))}
        left={busy.length - most}
      />
      <div class="range-why">
        <h3 class="cut">
          What is special? <small>chunks that touch the range, against all others</small>
        </h3>
        <WhyTable table={why.table} most={3} />
      </div>
      <Close
        class="panel-menu range-close"
        aria-label="Clear the time selection"
        data-testid="range-close"
        onClick={() => (timeSelection.value ? clearDimension('time') : leaveFinding())}
      />
      {noteText(parts, 'selection') ? <p class="muted">{noteText(parts, 'selection')}</p> : null}
    </section>
  );
}

const muted = (text: string) => <span class="muted">{text}</span>;

interface BlockProps {
  title: string;
  note: string;
  heads: readonly string[];
  rows: readonly { id: string; name: ComponentChildren; cells: readonly ComponentChildren[] }[];
  /** what stands for rows where there is none */
  none?: string | undefined;
  /** so many more are not shown */
  left?: number;
}

function Block({ title, note, heads, rows, none, left = 0 }: BlockProps) {
  return (
    <div class="range-block">
      <h3 class="cut">
        {title} <small>{note}</small>
      </h3>
      {rows.length === 0 && none ? <p class="muted">{none}</p> : null}
      <table hidden={rows.length === 0}>
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
        <tbody>
          {rows.map(({ id, name, cells }) => (
            <tr key={id}>
              <th scope="row" class="cut">
                {name}
              </th>
              {cells.map((cell, column) => (
                <td key={heads[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 ? <p class="muted">and {left} more</p> : null}
    </div>
  );
}
