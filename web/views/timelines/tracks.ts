import type { Layer } from '../../charts/drawTrack';
import { count, memory, significant } from '../../charts/format';
import { largest, map, quantile } from '../../charts/numbers';
import { heldSamples, intervals, type Steps, timeMean, valueAt } from '../../charts/steps';
import type { DirectLabel } from '../../charts/TrackPlot';
import { roundedUp } from '../../charts/ticks';
import type { Range } from '../../charts/timeAxis';
import type { Table } from '../../engine/table';
import { rateScale } from './rateScale';

/** One row of the timelines: what is drawn, and what its gutter says. */
export interface Track {
  id: string;
  title: string;
  /** unit and method, under the title */
  unit: string;
  height: number;
  layers: Layer[];
  top: number;
  labels?: DirectLabel[];
  /** the values at a moment: the main one, and another under it */
  at: (seconds: number) => [string, string];
  /** the same over a range */
  over: (range: Range) => [string, string];
}

/** A track the bundle has no data for. */
export interface AbsentTrack {
  title: string;
  reason: string;
}

export interface TrackList {
  extent: Range;
  /** drawn small over the whole run, to select on */
  overview: { layers: Layer[]; top: number };
  tracks: Track[];
  absent: AbsentTrack[];
}

const print = (value: number): string => (Number.isFinite(value) ? significant(value) : '–');

/** A run's extent and tracks from the answers of `timeline` and `throughput`. */
export function trackList(timeline: Table, throughput: Table, elapsed: number): TrackList | undefined {
  const ticks = timeline.rows > 0 ? timeline.numbers('t') : new Float64Array();
  const t0 = throughput.rows > 0 ? throughput.numbers('t0') : new Float64Array();
  const t1 = throughput.rows > 0 ? throughput.numbers('t1') : new Float64Array();
  const noted = timeline.notes.window_end;
  const begin = t0[0] ?? 0;
  const end = t1[t1.length - 1] ?? (typeof noted === 'number' && Number.isFinite(noted) ? noted : elapsed);
  if (!(end > begin) || (ticks.length === 0 && t0.length === 0)) return undefined;

  const sampled = (name: string, factor = 1): Steps =>
    heldSamples(
      ticks,
      map(timeline.numbers(name), (value) => value * factor),
      end,
    );
  const swept = (name: string, factor = 1): Steps =>
    intervals(
      t0,
      t1,
      map(throughput.numbers(name), (value) => value * factor),
    );
  const tracks: Track[] = [];
  const absent: AbsentTrack[] = [];
  const noChunks = sentence(throughput.notes.missing, 'chunks were not recorded');
  const noTicks = sentence(timeline.notes.missing, 'worker tracking was not recorded');
  const hasTicks = ticks.length > 0;
  const hasChunks = t0.length > 0;

  tracks.push(
    coresTrack(
      hasTicks ? sampled('cores') : undefined,
      hasChunks ? swept('chunks_running') : undefined,
      hasTicks ? sampled('executing_tasks') : undefined,
    ),
  );
  const rates = [
    { id: 'data-rate', title: 'Data rate', column: 'bytes_per_second', factor: 8, base: 'bps', colour: '--ph-process' },
    { id: 'event-rate', title: 'Event rate', column: 'events_per_second', factor: 1, base: 'Hz', colour: '--ph-tasks' },
  ];
  for (const rate of rates) {
    const known = hasChunks && throughput.numbers(rate.column).some(Number.isFinite);
    if (known) tracks.push(rateTrack(rate, swept(rate.column, rate.factor)));
    else
      absent.push({
        title: rate.title,
        reason: hasChunks ? sentence(throughput.notes.bytes, 'not collected') : noChunks,
      });
  }
  if (hasTicks) {
    tracks.push(cpuTrack(sampled('cpu_mean', 100), sampled('cpu_min', 100), sampled('cpu_max', 100)));
    tracks.push(
      memoryTrack(
        sampled('memory_mean'),
        sampled('memory_min'),
        sampled('memory_max'),
        largest(timeline.numbers('memory_limit')),
      ),
    );
    tracks.push(tasksTrack(sampled('active_tasks'), sampled('executing_tasks'), [begin, end]));
    tracks.push(
      simpleTrack('occupancy', 'Occupancy', 's queued, all workers', '--c7', sampled('occupancy'), (value) =>
        print(value),
      ),
    );
  } else {
    absent.push({ title: 'CPU, memory, tasks, occupancy', reason: noTicks });
  }
  const overviewSteps = hasChunks ? swept('chunks_running') : sampled('executing_tasks');
  return {
    extent: [begin, end],
    overview: {
      layers: [{ kind: 'area', steps: overviewSteps, colour: '--line-2' }],
      top: Math.max(1, largest(overviewSteps.values)) * 1.1,
    },
    tracks: tracks.filter((track) => track.layers.some((layer) => layer.kind === 'rule' || hasValues(layer))),
    absent,
  };
}

const sentence = (note: number | string | undefined, otherwise: string): string =>
  typeof note === 'string' && note ? note : otherwise;

const hasValues = (layer: Layer): boolean => 'steps' in layer && layer.steps.values.some(Number.isFinite);

/** In process() exactly where there are chunks, else executing as of the last heartbeat; what is left of the available is idle. */
function coresTrack(cores: Steps | undefined, running: Steps | undefined, executing: Steps | undefined): Track {
  const used = running ?? executing;
  const name = running ? 'in process()' : 'executing';
  const top = roundedUp(Math.max(used ? largest(used.values) : 0, cores ? largest(cores.values) : 0));
  const layers: Layer[] = [];
  if (cores) layers.push({ kind: 'hatch', steps: cores, ground: '--ph-idle', ink: '--ph-idle-ink' });
  if (used) layers.push({ kind: 'area', steps: used, colour: running ? '--ph-process' : '--act-exec' });
  if (cores) layers.push({ kind: 'line', steps: cores, colour: '--text', width: 1.25 });
  const texts = (of: (steps: Steps) => number): [string, string] => [
    used ? print(of(used)) : '',
    cores ? `of ${print(of(cores))}` : '',
  ];
  return {
    id: 'cores',
    title: 'Cores',
    unit: cores ? `${name} · available` : name,
    height: 68,
    layers,
    top,
    at: (seconds) => texts((steps) => valueAt(steps, seconds)),
    over: (range) => texts((steps) => timeMean(steps, range[0], range[1])),
  };
}

interface RateSpec {
  id: string;
  title: string;
  base: string;
  colour: string;
}

function rateTrack(spec: RateSpec, raw: Steps): Track {
  const scale = rateScale(largest(raw.values), spec.base);
  const steps: Steps = { edges: raw.edges, values: map(raw.values, (value) => value / scale.divisor) };
  return simpleTrack(spec.id, spec.title, `${scale.unit} in process()`, spec.colour, steps, print);
}

function simpleTrack(
  id: string,
  title: string,
  unit: string,
  colour: string,
  steps: Steps,
  text: (value: number) => string,
): Track {
  return {
    id,
    title,
    unit,
    height: 56,
    layers: [
      { kind: 'area', steps, colour, opacity: 0.18 },
      { kind: 'line', steps, colour, width: 1.25 },
    ],
    top: roundedUp(largest(steps.values)),
    at: (seconds) => [text(valueAt(steps, seconds)), ''],
    over: (range) => [text(timeMean(steps, range[0], range[1])), ''],
  };
}

function cpuTrack(mean: Steps, min: Steps, max: Steps): Track {
  return {
    id: 'cpu',
    title: 'CPU',
    unit: '% of a core, per worker',
    height: 80,
    layers: [
      { kind: 'band', lower: min, upper: max, colour: '--seq-4', opacity: 0.25 },
      { kind: 'line', steps: mean, colour: '--seq-5', width: 1.5 },
    ],
    // single samples of 1000 % occur: they must not flatten all others, and stay readable at the cursor
    top: roundedUp(Math.max(100, quantile(max.values, 0.98))),
    at: (seconds) => [
      withPercent(valueAt(mean, seconds)),
      spread(valueAt(min, seconds), valueAt(max, seconds), significantShort),
    ],
    over: (range) => [withPercent(timeMean(mean, range[0], range[1])), ''],
  };
}

const withPercent = (value: number): string => (Number.isFinite(value) ? `${significantShort(value)}\u2009%` : '–');
const significantShort = (value: number): string => significant(value, value >= 10 ? 2 : 1);

const spread = (low: number, high: number, text: (value: number) => string): string =>
  Number.isFinite(low) && Number.isFinite(high) ? `${text(low)} – ${text(high)}` : '';

/** The limit belongs to the axis only where memory comes near it; else it would press the data flat. */
const limitShownFrom = 0.25;

function memoryTrack(mean: Steps, min: Steps, max: Steps, limit: number): Track {
  const peak = largest(max.values);
  const inGibi = peak >= 1024 ** 3 || (limit > 0 && peak > limitShownFrom * limit && limit >= 1024 ** 3);
  const divisor = inGibi ? 1024 ** 3 : 1024 ** 2;
  const scale = (steps: Steps): Steps => ({
    edges: steps.edges,
    values: map(steps.values, (value) => value / divisor),
  });
  const shown = { mean: scale(mean), min: scale(min), max: scale(max) };
  const drawLimit = limit > 0 && peak > limitShownFrom * limit;
  const layers: Layer[] = [
    { kind: 'band', lower: shown.min, upper: shown.max, colour: '--c6', opacity: 0.25 },
    { kind: 'line', steps: shown.mean, colour: '--c6', width: 1.5 },
  ];
  if (drawLimit) layers.push({ kind: 'rule', y: limit / divisor, colour: '--bad', dashed: true });
  const limitText = limit > 0 ? `limit ${memory(limit)}` : 'no limit';
  return {
    id: 'memory',
    title: 'Memory',
    unit: `${inGibi ? 'GiB' : 'MiB'} RSS`,
    height: 60,
    layers,
    top: roundedUp(Math.max(peak, drawLimit ? limit : 0) / divisor),
    ...(drawLimit
      ? { labels: [{ text: limitText, colour: '--bad', at: 0.9, value: limit / divisor, side: 'below' as const }] }
      : {}),
    at: (seconds) => [
      print(valueAt(shown.mean, seconds)),
      spread(valueAt(shown.min, seconds), valueAt(shown.max, seconds), print),
    ],
    over: (range) => [print(timeMean(shown.mean, range[0], range[1])), drawLimit ? '' : limitText],
  };
}

function tasksTrack(active: Steps, executing: Steps, [begin, end]: Range): Track {
  const place = 0.5;
  const middle = begin + place * (end - begin);
  const high = valueAt(active, middle);
  const low = valueAt(executing, middle);
  const top = roundedUp(Math.max(largest(active.values), largest(executing.values)) * 1.15);
  const whole = (value: number) => (Number.isFinite(value) ? count(Math.round(value * 100) / 100) : '–');
  return {
    id: 'tasks',
    title: 'Tasks',
    unit: 'assigned · executing',
    height: 60,
    layers: [
      { kind: 'line', steps: active, colour: '--c4', width: 1.5 },
      { kind: 'line', steps: executing, colour: '--c8', width: 1.5 },
    ],
    top,
    labels: [
      { text: 'assigned', colour: '--c4', at: place, value: Number.isFinite(high) ? high : 0, side: 'above' },
      {
        text: 'executing',
        colour: '--c8',
        at: place,
        value: Number.isFinite(low) ? low : 0,
        side: low < high ? 'below' : 'above',
      },
    ],
    at: (seconds) => [whole(valueAt(active, seconds)), whole(valueAt(executing, seconds))],
    over: (range) => [print(timeMean(active, range[0], range[1])), print(timeMean(executing, range[0], range[1]))],
  };
}
