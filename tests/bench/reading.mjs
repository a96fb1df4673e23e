// How fast bundles are read: bytes in memory and dropped Files to a finished Run, under Node, in
// Chromium and natively, each against a peer in the same run.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import createCrema from '../../build/wasm/crema.js';
import { root } from '../../scripts/run.mjs';
import { layoutNames, writeMetrics } from './generate.mjs';
import { openChromium } from './in_chromium.mjs';
import { median } from './numbers.mjs';
import { compare } from './open_bytes.mjs';

/** More than 100 MB in every layout. */
const shapes = {
  default: { workers: 300, ticks: 500, chunks: 10000 },
  compact: { workers: 300, ticks: 900, chunks: 15000 },
};

const megabytes = (file) => (statSync(file).size / 1e6).toFixed(0);

async function underNode(bytes) {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
  const crema = await createCrema({
    wasmBinary: readFileSync(join(root, 'build/wasm/crema.wasm')),
  });
  return compare(crema.Session, bytes, 3);
}

function natively(file) {
  const { stdout, status } = spawnSync(
    join(root, 'build/native/tests/bench/crema_bench_reading'),
    [file],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`crema_bench_reading ended with ${status}`);
  return JSON.parse(stdout);
}

/** How long `crema` takes to open a file, on one core and on all that there are [ms]. */
function onCores(file) {
  const crema = join(root, 'build/native/crema');
  const times = { one: [], all: [] };
  for (let round = 0; round < 7; round++) {
    for (const [cores, command, args] of [
      ['one', 'taskset', ['-c', '0', crema]],
      ['all', crema, []],
    ]) {
      const begin = performance.now();
      const { status } = spawnSync(command, [...args, 'ask', file, 'runs']);
      if (status !== 0) return undefined;
      times[cores].push(performance.now() - begin);
    }
  }
  return { ours: median(times.all), peer: median(times.one) };
}

/**
 * Python's own reader and roastcoffea's, in the environment of the Python tests where there is one;
 * says what is missing.
 */
function inPython(file) {
  const script = `
import json, pathlib, platform, sys, time
def tell(name, work):
    begin = time.perf_counter()
    work()
    print(json.dumps({"seconds": time.perf_counter() - begin, "name": name}))
tell("json.load, Python " + platform.python_version(), lambda: json.load(open(sys.argv[1])))
try:
    from importlib.metadata import version
    from roastcoffea.export.measurements import load_measurement
except ImportError as problem:
    print(json.dumps({"skipped": f"load_measurement: {problem} (npm run test:all installs it)"}))
else:
    tell("load_measurement, roastcoffea " + version("roastcoffea"), lambda: load_measurement(pathlib.Path(sys.argv[1]).parent))`;
  writeFileSync(join(dirname(file), 'start_end_time.txt'), '0.0,500.0\n');
  const own = join(root, 'build/python/bin/python');
  const { stdout, stderr, status, error } = spawnSync(
    existsSync(own) ? own : 'python3',
    ['-c', script, file],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    console.log(`  skipped, Python: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
    return [];
  }
  const said = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const { skipped } of said) if (skipped) console.log(`  skipped, ${skipped}`);
  return said.filter(({ skipped }) => !skipped);
}

/** The figures: rows of { name, ours, peer, unit, peerName }. */
export async function reading() {
  const folder = mkdtempSync(join(tmpdir(), 'crema-bench-'));
  const browser = await openChromium();
  const inBrowser = `Chromium ${browser.version}`;
  const figures = [];
  const add = (figure) => {
    figures.push(figure);
    console.log(`  ${figure.name}: ${(figure.peer / figure.ours).toFixed(2)}`);
  };
  try {
    for (const layout of layoutNames) {
      const file = join(folder, layout, 'metrics.json');
      mkdirSync(dirname(file));
      await writeMetrics(file, { ...(shapes[layout] ?? shapes.default), layout });
      const what = `${megabytes(file)} MB, ${layout}, bytes to Run`;
      const parser = 'JSON.parse with decoding';
      const { answer } = await browser.perform('compare', file, 3);
      add({
        name: `${what}, Chromium`,
        ...answer,
        unit: 'ms',
        peerName: `${parser}, ${inBrowser}`,
      });
      const bytes = new Uint8Array(readFileSync(file));
      add({
        name: `${what}, Node`,
        ...(await underNode(bytes)),
        unit: 'ms',
        peerName: `${parser}, Node ${process.version}`,
      });
      if (layout === 'indented' || layout === 'compact') {
        const times = natively(file);
        const peerName = `nlohmann ${times.nlohmann_version}, SAX`;
        const peer = times.nlohmann * 1000;
        add({ name: `${what}, native`, ours: times.run * 1000, peer, unit: 'ms', peerName });
        add({
          name: `${megabytes(file)} MB, ${layout}, bytes to events, native`,
          ours: times.tokens * 1000,
          peer,
          unit: 'ms',
          peerName,
        });
        if (times.model > 0)
          add({
            name: `${what}, memory of the model, native`,
            ours: times.model / 1e6,
            peer: (1.3 * times.columns) / 1e6,
            unit: 'MB',
            peerName: '1.3 times its columns',
          });
        if (layout === 'indented') {
          const opened = onCores(file);
          const opens = `${megabytes(file)} MB, ${layout}, crema ask runs`;
          if (opened) add({ name: opens, ...opened, unit: 'ms', peerName: 'on one core' });
          for (const { seconds, name } of inPython(file))
            add({
              name: `${what}, native`,
              ours: times.run * 1000,
              peer: seconds * 1000,
              unit: 'ms',
              peerName: name,
            });
        }
      }
      if (layout !== 'indented') rmSync(file);
    }
    const file = join(folder, 'indented', 'metrics.json');
    const { answer: times } = await browser.perform('read', file, 5);
    const name = `${megabytes(file)} MB, File to Run, Chromium`;
    for (const way of Object.keys(times).filter((one) => one !== 'run'))
      add({
        name,
        ours: median(times.run.slice(1)),
        peer: median(times[way].slice(1)),
        unit: 'ms',
        peerName: `the same File read by ${way}, thrown away`,
      });
    const { memory } = await browser.perform('open', file);
    if (memory !== undefined) {
      const most = 0.25 * statSync(file).size + 64e6;
      add({
        name: `${megabytes(file)} MB, most memory of the renderer above the empty page, Chromium`,
        ours: memory / 1e6,
        peer: most / 1e6,
        unit: 'MB',
        peerName: 'a quarter of the file and 64 MB',
      });
    }
    return figures;
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}
