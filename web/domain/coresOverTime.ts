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

/**
 * From the answer of `core_time_bins`; process() by dataset where `datasetColour` is given. Parts
 * that are not among the `shown` are a ghost.
 */
export function coresOverTime(
  table: Table<'core_time_bins'>,
  datasetColour?: (name: string) => string,
  shown?: readonly string[],
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
  const layers: Layer[] = [];
  const legend: LegendEntry[] = [];
  let top = 0;
  let available: Layer | undefined;
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
    const isGhost = shown?.includes(part.part) === false;
    const isHatched = hatched.has(part.part) && !isGhost;
    const own =
      part.part === 'inside_process' && datasetColour
        ? datasetColour(part.label)
        : (colours[part.part] ?? '--ph-tasks');
    const colour = isGhost ? '--line' : own;
    if (isHatched) layers.push({ kind: 'hatch', steps, ground: '--ph-idle', ink: '--ph-idle-ink' });
    else if (part.part === 'lost_work' && !isGhost)
      layers.push({ kind: 'hatch', steps, ground: colour, ink: '--surface' });
    else layers.push({ kind: 'area', steps, colour });
    if (isGhost) continue;
    legend.unshift({
      id: `${part.part} ${part.label}`,
      label: part.label,
      colour,
      hatched: isHatched,
    });
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
