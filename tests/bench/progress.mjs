// Whether the time left that `progress` tells holds: recordings are cut off after 10, 20 … 90 % of
// their chunks' time, as `crema.record` would have written them until then, and what is told is set
// against what was. `npm run bench -- progress --bundles FOLDER`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failed, root } from '../../scripts/run.mjs';

const program = join(root, 'build/native/crema');
const epoch = 1_800_000_000;

function ask(path, question) {
  const json = execFileSync(program, ['ask', path, question, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { rows, columns, notes } = JSON.parse(json);
  const list = Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  );
  return { rows: list, notes };
}

const quantile = (values, q) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN;
};

/** What the rows of `crema.record` say of a chunk's task; undefined where there are none. */
function rowOf(chunk) {
  const at = (name) => chunk[`task:${name}`];
  if (typeof at('thread') !== 'number') return undefined;
  const begin = chunk.t_start - at('process_begin');
  return { process: at('pid'), thread: at('thread'), begin, end: begin + at('wall') };
}

/**
 * The task of the task stream that ran each chunk: the one that ended next to it, each once.
 * Undefined where the stream is cut off: one has none then.
 */
function streamed(chunks, executions) {
  const workers = [...new Set(executions.map(({ worker }) => worker))];
  const pairs = chunks.flatMap((chunk, place) =>
    executions
      .filter(({ t0, t1 }) => t0 < chunk.t_end && t1 > chunk.t_start)
      .map((task) => ({ place, task, apart: Math.abs(task.t1 - chunk.t_end) })),
  );
  const taken = new Set();
  const found = chunks.map(() => undefined);
  for (const { place, task } of pairs.sort((a, b) => a.apart - b.apart)) {
    if (found[place] || taken.has(task)) continue;
    taken.add(task);
    const { worker, thread, t0, t1 } = task;
    found[place] = { process: workers.indexOf(worker), thread, begin: t0, end: t1 };
  }
  return found.includes(undefined) ? undefined : found;
}

/** What `crema.record` has written of the run at `now`. */
function writeUntil(folder, chunks, planned, now) {
  const done = chunks.filter(({ end }) => end <= now);
  const strings = ['chunk', 'ok', 'host'];
  const text = (value) => {
    if (!strings.includes(value)) strings.push(value);
    return strings.indexOf(value);
  };
  const micros = (seconds) => Math.round(seconds * 1e6);
  const columns = {
    kind: () => 0,
    status: () => 1,
    host: () => 2,
    pid: ({ process }) => process,
    thread: ({ thread }) => thread,
    dataset: ({ dataset }) => text(dataset),
    file: ({ file }) => text(file),
    entry_start: (_, number) => number,
    entry_stop: (_, number) => number + 1,
    events: ({ events }) => events,
    begin: ({ begin }) => micros(begin),
    wall: ({ begin, end }) => micros(end - begin),
  };
  const tasks = Object.fromEntries(
    Object.entries(columns).map(([name, get]) => [name, done.map(get)]),
  );
  const part = {
    format: 'crema_tasks_v1',
    epoch,
    rows: done.length,
    strings,
    tasks,
    processes: [],
  };
  const index = {
    format: 'crema_task_index_v1',
    state: 'running',
    begin: epoch,
    until: epoch + now,
    rows: done.length,
    dropped: 0,
    notes: [],
    cluster: false,
    workers: [],
    planned,
    parts: [{ name: 'tasks-000000.json', rows: done.length }],
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tasks-000000.json'), JSON.stringify(part));
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(index));
}

/** What is told of one recording after each tenth of its time. */
function* looks(path, scratch) {
  const recorded = ask(path, 'chunks')
    .rows.filter(({ t_start, t_end }) => t_start !== null && t_end !== null)
    .sort((a, b) => a.t_start - b.t_start);
  if (recorded.length < 8) return;
  const rows = recorded.map(rowOf);
  const tasks = rows.includes(undefined)
    ? streamed(
        recorded,
        ask(path, 'tasks').rows.filter(({ action }) => action === 'compute'),
      )
    : rows;
  if (!tasks) {
    console.log(`${path}: which threads ran its chunks is not recorded`);
    return;
  }
  const first = Math.min(...tasks.map(({ begin }) => begin));
  const chunks = recorded.map((chunk, number) => ({
    dataset: chunk.dataset ?? '',
    file: chunk.file ?? '',
    events: chunk.events ?? 0,
    ...tasks[number],
    begin: tasks[number].begin - first,
    end: tasks[number].end - first,
  }));
  const end = Math.max(...chunks.map((chunk) => chunk.end));
  const planned = [...new Set(chunks.map(({ dataset }) => dataset))].map((dataset) => {
    const own = chunks.filter((chunk) => chunk.dataset === dataset);
    const events = own.reduce((sum, chunk) => sum + chunk.events, 0);
    return { call: 1, kind: 'chunk', dataset, tasks: own.length, events };
  });
  for (let tenth = 1; tenth < 10; tenth++) {
    writeUntil(scratch, chunks, planned, (tenth / 10) * end);
    const { left, left_low: low, left_high: high } = ask(scratch, 'progress').notes;
    if (left === null) continue; // no chunk has ended
    if (!(0 <= low && low <= left && left <= high))
      throw new Failed(`${path}, after ${tenth} tenths: ${low} to ${high} s, ${left} s are left`);
    yield { tenth, left, low, high, true: (1 - tenth / 10) * end };
  }
}

export async function progress({ bundles: folder }) {
  if (!folder) throw new Failed('bench progress needs --bundles FOLDER');
  const scratch = mkdtempSync(join(tmpdir(), 'crema-progress-'));
  const all = [];
  let runs = 0;
  try {
    for (const name of readdirSync(folder).sort()) {
      if (!/\.zip$|^[^.]+$|^schema-/.test(name)) continue;
      const found = [...looks(join(folder, name), scratch)];
      if (found.length > 0) runs += 1;
      all.push(...found);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  console.log(`\ntime left, of ${runs} runs\n  after   held   median error   high / low`);
  const line = (name, ones) => {
    const held = ones.filter((one) => one.low <= one.true && one.true <= one.high).length;
    const error = quantile(
      ones.map((one) => Math.abs(one.left / one.true - 1)),
      0.5,
    );
    const width = quantile(
      ones.map(({ low, high }) => high / Math.max(low, 1e-9)),
      0.5,
    );
    const share = ((100 * held) / ones.length).toFixed(0);
    console.log(
      `  ${name.padEnd(6)} ${share.padStart(3)} %   ${(100 * error).toFixed(1).padStart(6)} %   ${width.toFixed(2).padStart(10)}`,
    );
  };
  if (all.length === 0) return [];
  for (let tenth = 1; tenth < 10; tenth++)
    line(
      `${10 * tenth} %`,
      all.filter((one) => one.tenth === tenth),
    );
  line('all', all);
  return [];
}
