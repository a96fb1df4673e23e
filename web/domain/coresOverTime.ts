import { rowsOf, type Table } from '../engine/table';
import type { Layer } from '../plot/drawTrack';
import type { LegendEntry } from '../plot/Legend';
import { largest } from '../plot/numbers';
import { roundedUp } from '../plot/scales';
import type { Steps } from '../plot/steps';

/** The cores of a run by where their time went, as layers of a track. */
export interface CoresOverTime {
  begin: number;
  end: number;
  /** where the value axis ends */
  top: number;
  /** back to front: the topmost part first, the line of what was available last */
  layers: Layer[];
  /** in the order of the budget */
  legend: LegendEntry[];
  /** something beside process() is not placed where it was recorded */
  estimated: boolean;
}

const colours: Record<string, string> = {
  inside_process: '--ph-process',
  processor_tasks: '--ph-process',
  outside_process: '--ph-outside',
  other_tasks: '--ph-tasks',
  lost_work: '--ph-lost',
};

const hatched = new Set(['idle', 'not_in_process']);

/** What of the cores is in full; the rest is a ghost. */
export interface ShownCores {
  /** 'missing': cores that were there at another time */
  parts: readonly string[];
  time: readonly [begin: number, end: number] | undefined;
}

/** From the answer of `core_time_bins`; process() by dataset where `datasetColour` is given. */
export function coresOverTime(
  table: Table<'core_time_bins'>,
  datasetColour?: (name: string) => string,
  shown?: ShownCores,
): CoresOverTime | undefined {
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
  const [from, until] = shown?.time ?? [begin, end];
  /** the same, and nothing or `outside` at other times than the shown one */
  const within = ({ values }: Steps, outside?: Steps): Steps => ({
    edges,
    values: values.map((value, bin) =>
      (edges[bin + 1] as number) > from && (edges[bin] as number) < until
        ? value
        : (outside?.values[bin] ?? 0),
    ),
  });
  const layers: Layer[] = [];
  const legend: LegendEntry[] = [];
  let top = 0;
  let available: (Layer & { steps: Steps }) | undefined;
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    const part = rows[row];
    if (!part) continue;
    const steps = stepsOf(row);
    top = Math.max(top, largest(steps.values));
    if (part.part === 'available') {
      available = { kind: 'line', steps, colour: '--text', width: 1.25 };
      continue;
    }
    const cores = table.numbers('cores').subarray(row * width, (row + 1) * width);
    if (!(largest(cores) > 0)) continue;
    const isGhost = shown?.parts.includes(part.part) === false;
    const isHatched = hatched.has(part.part) && !isGhost;
    const own =
      part.part === 'inside_process' && datasetColour
        ? datasetColour(part.label)
        : (colours[part.part] ?? '--ph-tasks');
    const colour = isGhost ? '--line' : own;
    if (isGhost || shown?.time) layers.push({ kind: 'area', steps, colour: '--line' });
    if (isGhost) continue;
    const inFull = within(steps);
    if (isHatched)
      layers.push({ kind: 'hatch', steps: inFull, ground: '--ph-idle', ink: '--ph-idle-ink' });
    else if (part.part === 'lost_work')
      layers.push({ kind: 'hatch', steps: inFull, ground: colour, ink: '--surface' });
    else layers.push({ kind: 'area', steps: inFull, colour });
    legend.unshift({
      id: `${part.part} ${part.label}`,
      label: part.label,
      colour,
      hatched: isHatched,
    });
  }
  if (available && shown?.parts.includes('missing')) {
    const lower = available.steps;
    const all = { edges, values: lower.values.map(() => largest(lower.values)) };
    const colour = '--accent';
    layers.push({ kind: 'band', lower, upper: within(all, lower), colour, opacity: 0.35 });
    legend.unshift({ id: 'missing', label: 'Cores that were not there', colour });
  }
  if (shown) legend.push({ id: 'rest', label: 'the rest', colour: '--line' });
  if (available) layers.push(available);
  return {
    begin,
    end,
    top: roundedUp(top, 3),
    layers,
    legend,
    estimated: rows.some((part) => part.exact === 0 && part.part !== 'inside_process'),
  };
}
