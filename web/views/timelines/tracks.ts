import type { CoresOverTime } from '../../domain/coresOverTime';
import type { NumbersOf } from '../../engine/questions';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { rateScale, significant } from '../../plot/format';
import type { LegendEntry } from '../../plot/Legend';
import { largest, map } from '../../plot/numbers';
import { roundedUp } from '../../plot/scales';
import { heldSamples, intervals, type Steps, valueAt } from '../../plot/steps';
import type { DirectLabel } from '../../plot/Track';
import type { Range } from '../../plot/timeAxis';
import type { Means } from './means';

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
  legend?: readonly LegendEntry[];
  /** the values at a moment: the main one, and another under it */
  at: (seconds: number) => [string, string];
  /** their means */
  over: (means: Means) => [string, string];
}

/** A track the bundle has no data for. */
export interface AbsentTrack {
  id: string;
  title: string;
  reason: string;
}

export interface TrackList {
  extent: Range;
  /** drawn small over the whole run, to select on */
  overview: { layers: Layer[]; top: number };
  parts: CoresOverTime | undefined;
  tracks: Track[];
  absent: AbsentTrack[];
  /** time means that the head tells of a range */
  readouts: { label: string; over: (means: Means) => string }[];
}

type Rate = NumbersOf<'throughput'>;

const coresHeight = 112;

const print = (value: number): string => (Number.isFinite(value) ? significant(value) : '–');

export interface TrackListOptions {
  /** where the time of the cores went; of some workers alone that is not known */
  parts?: CoresOverTime | undefined;
  /** `throughput` in finer intervals, for a part of the run */
  finer?: Table<'throughput'> | undefined;
  /** `timeline` is of some workers only */
  someWorkers?: boolean;
}

/** A run's extent and tracks from the answers of `timeline` and `throughput`. */
export function trackList(
  timeline: Table<'timeline'>,
  throughput: Table<'throughput'>,
  elapsed: number,
  { parts, finer, someWorkers = false }: TrackListOptions = {},
): TrackList | undefined {
  const ticks = timeline.rows > 0 ? timeline.numbers('t') : new Float64Array();
  const t0 = throughput.rows > 0 ? throughput.numbers('t0') : new Float64Array();
  const t1 = throughput.rows > 0 ? throughput.numbers('t1') : new Float64Array();
  const noted = timeline.notes.window_end;
  const begin = t0[0] ?? parts?.begin ?? 0;
  const end =
    t1[t1.length - 1] ??
    (typeof noted === 'number' && Number.isFinite(noted) ? noted : (parts?.end ?? elapsed));
  if (!(end > begin) || !(parts || ticks.length + t0.length > 0)) return undefined;

  const sampled = (name: NumbersOf<'timeline'>): Steps =>
    heldSamples(ticks, timeline.numbers(name), end);
  const sweptOf = (table: Table<'throughput'>, name: Rate): Steps =>
    intervals(table.numbers('t0'), table.numbers('t1'), table.numbers(name));
  const swept = (name: Rate): Swept => {
    const whole = sweptOf(throughput, name);
    return {
      whole,
      shown: finer && finer.rows > 0 ? spliced(whole, sweptOf(finer, name)) : whole,
    };
  };
  // which worker ran a chunk may not be recorded
  const ofAll = someWorkers && throughput.notes.of_all_workers === 1;
  const tracks: Track[] = [];
  const absent: AbsentTrack[] = [];
  const noChunks = sentence(throughput.notes.missing, 'chunks were not recorded');
  const hasTicks = ticks.length > 0;
  const hasChunks = t0.length > 0;

  tracks.push(
    coresTrack(
      hasTicks ? sampled('cores') : undefined,
      // the chunks of all workers do not belong on the cores of some
      hasChunks && !(ofAll && hasTicks) ? swept('chunks_running') : undefined,
      hasTicks ? sampled('executing_tasks') : undefined,
      parts,
    ),
  );
  const rates = [
    {
      id: 'data-rate',
      title: 'Data rate',
      column: 'bytes_per_second' as const,
      base: 'B/s',
      colour: '--ph-process',
    },
    {
      id: 'event-rate',
      title: 'Event rate',
      column: 'events_per_second' as const,
      base: 'Hz',
      colour: '--ph-tasks',
    },
  ];
  for (const rate of rates) {
    const known = hasChunks && throughput.numbers(rate.column).some(Number.isFinite);
    if (known) tracks.push(rateTrack(rate, swept(rate.column), ofAll));
    else
      absent.push({
        id: rate.id,
        title: rate.title,
        reason: hasChunks ? sentence(throughput.notes.bytes, 'not collected') : noChunks,
      });
  }
  const overviewSteps = hasChunks ? swept('chunks_running').whole : sampled('executing_tasks');
  const hasCpu = hasTicks && timeline.numbers('cpu_mean').some(Number.isFinite);
  return {
    extent: [begin, end],
    parts,
    overview: parts ?? {
      layers: [{ kind: 'area', steps: overviewSteps, colour: '--line-2' }],
      top: Math.max(1, largest(overviewSteps.values)) * 1.1,
    },
    tracks: tracks.filter((track) =>
      track.layers.some((layer) => layer.kind === 'rule' || hasValues(layer)),
    ),
    absent,
    readouts: [
      ...tracks
        .filter((track) => track.id !== 'cores')
        .map((track) => ({
          label: track.title,
          over: (means: Means) => `${track.over(means)[0]}\u2009${track.unit.split(' ')[0] ?? ''}`,
        })),
      ...(hasCpu
        ? [
            {
              label: 'CPU',
              over: (means: Means) => `CPU ${significant(100 * means.cpu, 2)}\u2009%`,
            },
          ]
        : []),
    ],
  };
}

/** A swept quantity over the whole run, and with finer intervals where the picture is zoomed. */
interface Swept {
  whole: Steps;
  shown: Steps;
}

/** `whole` with `part` in its place where that is. */
export function spliced(whole: Steps, part: Steps): Steps {
  const begin = part.edges[0] ?? 0;
  const end = part.edges[part.edges.length - 1] ?? 0;
  const edges: number[] = [];
  const values: number[] = [];
  const put = (edge: number, value: number) => {
    edges.push(edge);
    values.push(value);
  };
  for (let i = 0; i < whole.values.length; i += 1) {
    const from = whole.edges[i] ?? 0;
    if (from < begin) put(from, whole.values[i] ?? Number.NaN);
  }
  for (let i = 0; i < part.values.length; i += 1)
    put(part.edges[i] ?? 0, part.values[i] ?? Number.NaN);
  for (let i = 0; i < whole.values.length; i += 1) {
    const until = whole.edges[i + 1] ?? 0;
    if (until > end) put(Math.max(end, whole.edges[i] ?? 0), whole.values[i] ?? Number.NaN);
  }
  edges.push(Math.max(end, whole.edges[whole.edges.length - 1] ?? end));
  return { edges: Float64Array.from(edges), values: Float64Array.from(values) };
}

const sentence = (note: number | string | undefined, otherwise: string): string =>
  typeof note === 'string' && note ? note : otherwise;

const hasValues = (layer: Layer): boolean =>
  'steps' in layer && layer.steps.values.some(Number.isFinite);

/** The parts of their time; else what they executed, with what is left of the available idle. */
function coresTrack(
  cores: Steps | undefined,
  running: Swept | undefined,
  executing: Steps | undefined,
  parts: CoresOverTime | undefined,
): Track {
  const used = running?.shown ?? executing;
  const layers: Layer[] = [];
  if (parts) layers.push(...parts.layers);
  else {
    if (cores)
      layers.push({ kind: 'hatch', steps: cores, ground: '--ph-idle', ink: '--ph-idle-ink' });
    if (used)
      layers.push({ kind: 'area', steps: used, colour: running ? '--ph-process' : '--act-exec' });
    if (cores) layers.push({ kind: 'line', steps: cores, colour: '--text', width: 1.25 });
  }
  const texts = (inUse: number, available: number): [string, string] => [
    used ? print(inUse) : '',
    cores ? `of ${print(available)}` : '',
  ];
  return {
    id: 'cores',
    title: 'Cores',
    unit: running ? 'in process()' : 'executing',
    height: coresHeight,
    layers,
    ...(parts ? { legend: parts.legend } : {}),
    top:
      parts?.top ??
      roundedUp(Math.max(used ? largest(used.values) : 0, cores ? largest(cores.values) : 0)),
    at: (seconds) =>
      texts(
        used ? valueAt(used, seconds) : Number.NaN,
        cores ? valueAt(cores, seconds) : Number.NaN,
      ),
    over: (means) => texts(running ? means.chunks_running : means.executing_tasks, means.cores),
  };
}

interface RateSpec {
  id: string;
  title: string;
  column: 'bytes_per_second' | 'events_per_second';
  base: string;
  colour: string;
}

function rateTrack(spec: RateSpec, raw: Swept, ofAll: boolean): Track {
  const scale = rateScale(largest(raw.whole.values), spec.base);
  const scaled = (steps: Steps): Steps => ({
    edges: steps.edges,
    values: map(steps.values, (value) => value / scale.divisor),
  });
  const shown = scaled(raw.shown);
  return {
    id: spec.id,
    title: spec.title,
    unit: `${scale.unit} ${ofAll ? 'of all workers' : 'in process()'}`,
    height: 56,
    layers: [
      { kind: 'area', steps: shown, colour: spec.colour, opacity: 0.18 },
      { kind: 'line', steps: shown, colour: spec.colour, width: 1.25 },
    ],
    top: roundedUp(largest(shown.values)),
    at: (seconds) => [print(valueAt(shown, seconds)), ''],
    over: (means) => [print(means[spec.column] / scale.divisor), ''],
  };
}
