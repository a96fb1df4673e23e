// Writes a metrics.json of any size in roastcoffea's own layout (json.dump with indent 2, one
// timestamp per tick for all workers and series) or another legal one, piece by piece: nothing is
// held in memory.
//
//   node tests/bench/generate.mjs --workers 300 --ticks 600 --chunks 20000 -o metrics.json
//   [--layout compact]
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const series = [
  'memory',
  'memory_limit',
  'active_tasks',
  'cores',
  'nbytes',
  'occupancy',
  'executing',
  'last_seen',
  'cpu',
];
const datasets = ['data', 'ttbar', 'wjets', 'zprime'];
const sections = ['skim_selection', 'jet_selection', 'fill_histograms'];

/** A seeded generator (mulberry32): the same bundle on every machine. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** How the same data may be written: white space, the form of strings, and the order of members. */
const layouts = {
  indented: () => ({ pad: (depth) => `\n${'  '.repeat(depth)}`, colon: () => ': ', comma: ',' }),
  compact: () => ({ pad: () => '', colon: () => ': ', comma: ', ' }),
  tabs: () => ({ pad: (depth) => `\r\n${'\t'.repeat(depth)}`, colon: () => ': ', comma: ',' }),
  shuffled: () => ({
    pad: (depth) => `\n${'  '.repeat(depth)}`,
    colon: () => ': ',
    comma: ',',
    reversed: true,
  }),
  odd: (random) => {
    const blanks = ['', ' ', '\n', '  ', ' \t', '\n    '];
    const blank = () => blanks[Math.floor(random() * blanks.length)];
    return { pad: blank, colon: () => `${blank()}:${blank()}`, comma: ',' };
  },
  escaped: () => ({
    pad: (depth) => `\n${'  '.repeat(depth)}`,
    colon: () => ': ',
    comma: ',',
    quoted: (text) => JSON.stringify(text).replaceAll('-', '\\u002d').replaceAll('/', '\\/'),
  }),
};
export const layoutNames = Object.keys(layouts);

const start = Date.UTC(2025, 11, 16, 14, 2, 11) / 1000;
const elapsedOf = ({ ticks }) => ticks - 1 + 0.4;

export const workerAddress = (worker) =>
  `tcp://10.0.${worker >> 8}.${worker & 255}:${40000 + (worker % 20000)}`;

/** When the worker of a chunk, `index % workers`, has time for it: [s]. */
export function slotOf({ workers, ticks, chunks }, index) {
  const length = (elapsedOf({ ticks }) - 2) / Math.ceil(chunks / workers);
  return { begin: start + 1 + Math.floor(index / workers) * length, length };
}

/**
 * The pieces of a metrics.json. `workers` x `ticks` samples of nine series, one per second;
 * `chunks` of 10,000 events, spread over one lane per worker; fine metrics and headline numbers
 * that agree with them.
 */
export function* metricsPieces({
  workers,
  ticks,
  chunks,
  compact = false,
  layout = compact ? 'compact' : 'indented',
  seed = 1,
}) {
  const random = seeded(seed);
  const {
    pad,
    colon,
    comma,
    quoted = JSON.stringify,
    reversed = false,
  } = layouts[layout](seeded(seed + 1));
  const inOrder = (list) => (reversed ? list.toReversed() : list);
  const times = Array.from({ length: ticks }, (_, tick) => {
    const micros = String(100000 + Math.floor(random() * 800000)).padStart(6, '0');
    return `${new Date((start + tick) * 1000).toISOString().slice(0, 19)}.${micros}`;
  });
  const value = (name, tick) => {
    switch (name) {
      case 'memory':
        return 200000000 + Math.floor(random() * 400000000);
      case 'memory_limit':
        return 3000000000;
      case 'active_tasks':
        return 2;
      case 'cores':
        return 1;
      case 'nbytes':
        return Math.floor(random() * 100000);
      case 'occupancy':
        return random() * 20;
      case 'executing':
        return 1;
      case 'last_seen':
        return start + tick - random() * 0.5;
      default:
        return Math.round(random() * 1000) / 10;
    }
  };

  // Chunks first, so that the totals above them can be stated.
  const elapsed = elapsedOf({ ticks });
  const { length } = slotOf({ workers, ticks, chunks }, 0);
  const chunk = (index) => {
    const { begin } = slotOf({ workers, ticks, chunks }, index);
    const duration = length * (0.5 + 0.4 * random());
    return { begin, duration, dataset: datasets[index % 4] };
  };
  const events = chunks * 10000;
  const process = chunks * length * 0.7;

  /** A small value, `depth` levels below the top. */
  const text = (value, depth) => {
    if (typeof value === 'string') return quoted(value);
    if (value === null || typeof value !== 'object') return String(value);
    const members = inOrder(Object.entries(value)).map(
      ([key, member]) => `${pad(depth + 1)}${quoted(key)}${colon()}${text(member, depth + 1)}`,
    );
    return `{${members.join(comma)}${pad(depth)}}`;
  };
  const numbers = {
    data_rate_gbps: (chunks * 2e6 * 8) / 1e9 / elapsed,
    total_events: events,
    elapsed_time_seconds: elapsed,
    total_cpu_time: process,
    num_chunks: chunks,
    avg_cpu_time_per_chunk: process / chunks,
    total_bytes_read: chunks * 2000000,
    processor_cpu_time_seconds: process * 0.9,
  };
  const counts = () => {
    const all = times.map((time) => `${pad(3)}${quoted(time)}${colon()}${workers}`);
    return `${pad(2)}${quoted('worker_counts')}${colon()}{${all.join(comma)}${pad(2)}}`;
  };
  function* oneSeries(name) {
    yield `${pad(2)}${quoted(`worker_${name}`)}${colon()}{`;
    for (let worker = 0; worker < workers; worker++) {
      let piece = `${worker ? comma : ''}${pad(3)}${quoted(workerAddress(worker))}${colon()}[`;
      for (let tick = 0; tick < ticks; tick++) {
        piece += `${tick ? comma : ''}${pad(4)}[${pad(5)}${quoted(times[tick])}${comma}${pad(5)}${value(name, tick)}${pad(4)}]`;
      }
      yield `${piece}${pad(3)}]`;
    }
    yield `${pad(2)}}`;
  }
  function* tracking() {
    yield `${pad(1)}${quoted('tracking_data')}${colon()}{${counts()}`;
    for (const name of inOrder(series)) {
      yield comma;
      yield* oneSeries(name);
    }
    yield `${pad(1)}}`;
  }
  function* chunkList() {
    yield `${pad(1)}${quoted('raw_chunk_metrics')}${colon()}[`;
    for (let index = 0; index < chunks; index++) {
      const { begin, duration, dataset } = chunk(index);
      const fields = {
        t_start: begin,
        t_end: begin + duration,
        duration,
        mem_before_mb: 250.5,
        mem_after_mb: 252.25,
        mem_delta_mb: 1.75,
        bytes_read: 2000000,
        timestamp: begin + duration + 0.001,
        num_events: 10000,
        dataset,
        file: `root://xcache-${index % 8}.example.org//store/${dataset}/nano_${String(index >> 4).padStart(5, '0')}.root`,
        uuid: null,
        entry_start: (index & 15) * 10000,
        entry_stop: ((index & 15) + 1) * 10000,
        num_branches_accessed: 17,
        timing: Object.fromEntries(sections.map((name) => [name, duration * 0.2])),
      };
      yield `${index ? comma : ''}${pad(2)}${text(fields, 2)}`;
    }
    yield `${pad(1)}]`;
  }
  const member = (key, what) =>
    function* () {
      yield `${pad(1)}${quoted(key)}${colon()}${text(what, 1)}`;
    };
  const spans = {
    "('execute', 'BenchProcessor', 'thread-cpu', 'seconds')": process * 0.9,
    "('execute', 'BenchProcessor', 'thread-noncpu', 'seconds')": process * 0.3,
    "('execute', 'BenchProcessor', 'memory-read', 'count')": chunks,
  };
  const members = [
    ...Object.entries(numbers).map(([key, number]) => member(key, number)),
    tracking,
    chunkList,
    member('raw_span_metrics', spans),
  ];
  yield '{';
  for (const [index, one] of inOrder(members).entries()) {
    if (index > 0) yield comma;
    yield* one();
  }
  yield `${pad(0)}}`;
}

/** Writes the pieces to a file; resolves to its size [byte]. */
export async function writeMetrics(path, shape) {
  const out = createWriteStream(path);
  for (const piece of metricsPieces(shape)) {
    if (!out.write(piece)) await new Promise((resolve) => out.once('drain', resolve));
  }
  out.end();
  await finished(out);
  return out.bytesWritten;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '300' },
      ticks: { type: 'string', default: '600' },
      chunks: { type: 'string', default: '20000' },
      layout: { type: 'string', default: 'indented' },
      output: { type: 'string', short: 'o', default: 'metrics.json' },
    },
  });
  if (!layoutNames.includes(values.layout))
    throw new Error(`the layouts are ${layoutNames.join(', ')}`);
  const shape = {
    workers: +values.workers,
    ticks: +values.ticks,
    chunks: +values.chunks,
    layout: values.layout,
  };
  console.log(`${values.output}: ${(await writeMetrics(values.output, shape)) / 1e6} MB`);
}
