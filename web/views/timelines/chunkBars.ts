import { missingText, type Table } from '../../engine/table';
import { type Gantt, ganttOf } from '../../plot/gantt';
import { quantile } from '../../plot/numbers';
import { pixelOf, sequentialPixels } from '../../plot/pixels';
import type { BarColour } from '../../state/timelines';

/** The columns of `chunks` that the bars and their tooltip need. */
export const barColumns =
  'chunk,dataset,file,host,t_start,t_end,duration,events,bytes_read,seconds_per_event,lane';

/** What a colour of the bars stands for. */
export interface BarLegend {
  label: string;
  colour: string;
  chunks: number;
}

export interface Bars {
  gantt: Gantt;
  /** a pixel for each row of the table */
  colours: Uint32Array;
  legend: BarLegend[];
  /** of the sequential scale, in seconds per event */
  scaleTop?: number;
}

const palette = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'];

/** The names of a text column with how many rows have each, by name. */
function namesOf(table: Table, column: string): { name: string; id: number; count: number }[] {
  const given = table.column(column);
  if (given.type !== 'text') return [];
  const counts = new Map<number, number>();
  for (const id of given.texts) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts]
    .map(([id, count]) => ({
      id,
      count,
      name: id === missingText ? '(not recorded)' : (table.strings[id] ?? ''),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/**
 * Bars of chunks by what they are coloured by. `datasetColour` is the page's one colour of each
 * dataset.
 */
export function barsOf(
  table: Table,
  by: BarColour,
  datasetColour: (name: string) => string,
  selected: Uint8Array | undefined,
): Bars {
  const gantt = ganttOf(table.numbers('lane'), table.numbers('t_start'), table.numbers('t_end'));
  const { colours, legend, scaleTop } = coloured(table, by, datasetColour);
  if (selected) {
    const outside = pixelOf('--line');
    for (let row = 0; row < colours.length; row += 1) if (!selected[row]) colours[row] = outside;
  }
  return { gantt, colours, legend, ...(scaleTop === undefined ? {} : { scaleTop }) };
}

function coloured(
  table: Table,
  by: BarColour,
  datasetColour: (name: string) => string,
): { colours: Uint32Array; legend: BarLegend[]; scaleTop?: number } {
  const colours = new Uint32Array(table.rows);
  if (by === 'rate') {
    const values = table.numbers('seconds_per_event');
    const top = quantile(values, 0.98) || 1;
    const scale = sequentialPixels();
    const unknown = pixelOf('--c-rest');
    for (let row = 0; row < table.rows; row += 1) {
      const value = values[row] ?? Number.NaN;
      const step = Math.min(
        scale.length - 1,
        Math.max(0, Math.round((value / top) * (scale.length - 1))),
      );
      colours[row] = Number.isFinite(value) ? (scale[step] ?? unknown) : unknown;
    }
    return { colours, legend: [], scaleTop: top };
  }
  const names = namesOf(table, by);
  const column = table.column(by);
  const tokens = new Map<number, string>();
  names.forEach(({ name, id }, place) => {
    // files are too many for colours of their own: neighbours differ, that is all
    const own =
      by === 'file' || names.length <= palette.length ? palette[place % palette.length] : undefined;
    tokens.set(id, by === 'dataset' ? datasetColour(name) : (own ?? palette[place] ?? '--c-rest'));
  });
  const pixels = new Map([...tokens].map(([id, token]) => [id, pixelOf(token)]));
  if (column.type === 'text')
    column.texts.forEach((id, row) => {
      colours[row] = pixels.get(id) ?? 0;
    });
  const legend =
    by === 'file'
      ? []
      : names.map(({ name, id, count }) => ({
          label: name,
          colour: tokens.get(id) ?? '',
          chunks: count,
        }));
  return { colours, legend };
}

/** Which rows of `whole` are among those of `narrowed`, by chunk number. */
export function selectedRows(whole: Table, narrowed: Table): Uint8Array {
  const chosen = new Set(narrowed.numbers('chunk'));
  return Uint8Array.from(whole.numbers('chunk'), (chunk) => (chosen.has(chunk) ? 1 : 0));
}
