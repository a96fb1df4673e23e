/**
 * Bad files that no accident makes: bombs, lying archives, tricks with paths and names, JSON that
 * means harm.
 */
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { InputFile } from '../../web/engine/engine';
import type { BadInput } from './hostile';
import {
  asGzip,
  deflatedBomb,
  honest,
  type LyingEntry,
  type LyingZip,
  lyingZip,
} from './hostileZip';

const file = (path: string, content: string | Uint8Array<ArrayBuffer>): InputFile => ({
  path,
  data: new Blob([content]),
});
const one = (
  kind: string,
  name: string,
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
): BadInput => ({
  kind,
  name,
  files: [file(path, content)],
});
const zip = (kind: string, name: string, entries: LyingEntry[], lies?: LyingZip): BadInput =>
  one(kind, name, 'run.zip', lyingZip(entries, lies));

/** Names that would run a script, were they ever taken for markup. */
export const attacks = [
  '<img src=x onerror=globalThis.attacked=1>',
  '"><script>globalThis.attacked=1</script>',
  "'); globalThis.attacked=1; ('",
  'javascript:globalThis.attacked=1',
  '</title></style></textarea></svg><svg onload=globalThis.attacked=1>',
  '<a href="javascript:globalThis.attacked=1">x</a>',
  ']]><!--<iframe srcdoc="<script>parent.attacked=1</script>">',
  `{{constructor.constructor('globalThis.attacked=1')()}}`,
  '\u202e\u0000\u0007<b>\ud83d\ude00',
  `=cmd|' /C calc'!A0`,
];

const seconds = (at: number) => 1_795_255_200 + at;
const time = (at: number) => new Date(seconds(at) * 1000).toISOString().replace(/Z$/, '');

/** A whole measurement of two workers; `name` is asked for every name in it. */
export function metricsNamed(name: (what: string) => string): Record<string, unknown> {
  const workers = ['a', 'b'].map((which) => `tcp://${name(`host ${which}`)}:1001`);
  const ticks = [0, 5, 9];
  const each = (value: (at: number) => number) =>
    Object.fromEntries(workers.map((worker) => [worker, ticks.map((at) => [time(at), value(at)])]));
  return {
    elapsed_time_seconds: 10,
    total_events: 1000,
    total_bytes_read: 2_000_000,
    total_cpu_time: 6,
    num_chunks: 2,
    tracking_data: {
      worker_counts: Object.fromEntries(ticks.map((at) => [time(at), 2])),
      worker_cores: each(() => 1),
      worker_memory: each((at) => 100 + at),
      worker_memory_limit: each(() => 1000),
      worker_cpu: each((at) => 10 * at),
      worker_active_tasks: each(() => 1),
      worker_last_seen: each((at) => seconds(at)),
    },
    raw_chunk_metrics: workers.map((worker, index) => ({
      t_start: seconds(1 + index),
      t_end: seconds(4 + index),
      duration: 3,
      num_events: 500,
      bytes_read: 1_000_000,
      dataset: name('dataset'),
      file: name('file'),
      entry_start: 500 * index,
      entry_stop: 500 * (index + 1),
      worker_id: worker,
      accessed_branches: [name('branch')],
      timing: { [name('section')]: 1.5 },
      memory: { [name('section')]: 1 },
      bytes: { [name('section')]: 10 },
      [name('metric')]: 3,
    })),
    chunk_info: Object.fromEntries(
      workers.map((_, index) => [
        `('${name('file')}', ${500 * index}, ${500 * (index + 1)})`,
        [seconds(1 + index), seconds(4 + index), 1_000_000],
      ]),
    ),
    raw_span_metrics: {
      [`('execute', '${name('prefix')}', 'thread-cpu', 'seconds')`]: 5,
      [`('execute', '${name('prefix')}', '${name('activity')}', 'seconds')`]: 1,
    },
    [name('stored')]: 1,
  };
}

const plain = () => metricsNamed((what) => what);
const changed = (change: (metrics: Record<string, unknown>) => void): string => {
  const metrics = plain();
  change(metrics);
  return JSON.stringify(metrics);
};
const manyOf = (count: number, make: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));

/** A chain of profile nodes, each the only child of the one above. */
const chain = (depth: number) =>
  `${'{"count": 1, "children": {"a": '.repeat(depth)}{"count": 1, "children": {}}${'}}'.repeat(depth)}`;

function hostileJson(): BadInput[] {
  const chunk = { t_start: seconds(1), t_end: seconds(2), num_events: 1 };
  const tracking = (worker_cpu: unknown) =>
    changed((m) => Object.assign(m.tracking_data as object, { worker_cpu }));
  const chunks = (...all: object[]) => changed((m) => Object.assign(m, { raw_chunk_metrics: all }));
  const texts: Record<string, string> = {
    'a million brackets': '['.repeat(1_000_000),
    'a million members of one another': '{"a":'.repeat(1_000_000),
    'brackets inside of metrics': `{"elapsed_time_seconds": 1, "tracking_data": ${'['.repeat(500_000)}`,
    'a hundred thousand keys': JSON.stringify({
      ...plain(),
      ...manyOf(100_000, (index) => [`k${index}`, index]),
    }),
    'the same key ten thousand times': `{"elapsed_time_seconds": 1, ${'"raw_chunk_metrics": [], '.repeat(10_000)}"a": 1}`,
    'forty thousand workers': tracking(
      manyOf(40_000, (i) => [`tcp://10.0.0.1:${i}`, [[time(0), i]]]),
    ),
    'a hundred thousand metrics in a chunk': chunks({
      ...chunk,
      ...manyOf(100_000, (i) => [`m${i}`, i]),
    }),
    'ten thousand sections, each in its own chunk': chunks(
      ...Array.from({ length: 10_000 }, (_, i) => ({ ...chunk, timing: { [`s${i}`]: 1 } })),
    ),
    'a file name of five megabytes': chunks({ ...chunk, file: 'f'.repeat(5_000_000) }),
    'a chunk that ends before it starts': chunks({ ...chunk, t_end: seconds(-1e6) }),
    'a chunk in the year five billion': chunks(chunk, { ...chunk, t_start: 1e17, t_end: 1e17 + 1 }),
    'chunks at the ends of all numbers': chunks({
      ...chunk,
      t_start: -1.7e308,
      t_end: 1.7e308,
      num_events: 1e308,
    }),
    'more events than there are numbers': chunks(
      { ...chunk, num_events: 2 ** 63 },
      { ...chunk, num_events: -1e300 },
    ),
    'a wall time of a billion years': changed((m) =>
      Object.assign(m, { elapsed_time_seconds: 3e16 }),
    ),
    'a negative wall time': changed((m) =>
      Object.assign(m, { elapsed_time_seconds: -5, total_events: -1 }),
    ),
    'samples in the year 9999': tracking({
      w: [[time(0), 1]].concat([['9999-12-31T23:59:59.999999', 1]]),
    }),
    'samples at impossible times': tracking({
      w: ['0000-00-00T00:00:00', '2026-13-45T99:99:99', ''].map((t) => [t, 1]),
    }),
    'samples that run backwards': tracking({
      w: Array.from({ length: 1000 }, (_, i) => [time(1000 - i), i]),
    }),
    'a billion cores': changed((m) =>
      Object.assign(m.tracking_data as object, {
        worker_cores: { w: [[time(0), 1e9]] },
        cores_per_worker: { w: 1e18 },
      }),
    ),
    'every value null': JSON.stringify(plain()).replace(/(?<=:)(?:-?\d[\d.e+-]*|"[^"]*")/g, 'null'),
    'every value an object': JSON.stringify(plain()).replace(
      /(?<=:)(?:-?\d[\d.e+-]*|"[^"]*")/g,
      '{}',
    ),
    'every list a map': JSON.stringify(plain()).replaceAll('[', '{"0":[').replaceAll(']', ']}'),
    'names of Object.prototype': JSON.stringify(
      metricsNamed(
        (what) =>
          ({ metric: '__proto__', section: 'constructor', stored: 'toString' })[what] ??
          'hasOwnProperty',
      ),
    ),
    'surrogates without partners': JSON.stringify(metricsNamed((what) => what)).replaceAll(
      'file',
      '\\ud800\\udc00\\ud800',
    ),
    'control characters in strings': JSON.stringify(plain()).replaceAll(
      'dataset',
      'data\u0001\u0000set',
    ),
    'two documents': JSON.stringify(plain()).repeat(2),
    'text after the end': `${JSON.stringify(plain())} and so on`,
    'comments and trailing commas': '{"elapsed_time_seconds": 1, /* that is */ "total_events": 2,}',
    'single quotes': "{'elapsed_time_seconds': 1.0, 'raw_chunk_metrics': None}",
    'a profile of a hundred thousand levels': chain(100_000),
    'a profile of four hundred levels': chain(400),
    'a speedscope file that points outside': JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames: [{ name: 'a' }] },
      profiles: [
        {
          type: 'sampled',
          name: 'p',
          unit: 'seconds',
          startValue: 0,
          endValue: 9,
          samples: [[0, 9, -1, 1e9]],
          weights: [1],
        },
      ],
    }),
    'speedscope events that close what is not open': JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames: [{ name: 'a' }, { name: 'b' }] },
      profiles: [
        {
          type: 'evented',
          name: 'p',
          unit: 'seconds',
          startValue: 0,
          endValue: 1,
          events: [
            { type: 'C', frame: 1, at: 5 },
            { type: 'O', frame: 0, at: 3 },
            { type: 'C', frame: 1, at: -3 },
          ],
        },
      ],
    }),
  };
  return Object.entries(texts).map(([name, text]) =>
    one('JSON that means harm', name, 'run/metrics.json', text),
  );
}

function otherTexts(): BadInput[] {
  const kind = 'texts that mean harm';
  return [
    one(
      kind,
      'a stack of three hundred thousand frames',
      'stacks.folded',
      `${'f;'.repeat(300_000)}g 1\n`,
    ),
    one(
      kind,
      'folded stacks with impossible counts',
      'stacks.folded',
      'a;b 1e999\na;c -5\na;d NaN\na;e 99999999999999999999\n',
    ),
    one(kind, 'folded stacks of nothing', 'stacks.folded', ' 1\n; 1\n;;; 1\n'),
    one(kind, 'one line of eight megabytes', 'stacks.folded', 'a'.repeat(8_000_000)),
    one(kind, 'times that are none', 'start_end_time.txt', 'inf,nan\n'),
    one(kind, 'a time before the other', 'start_end_time.txt', '9,-9\n'),
    one(
      kind,
      'a page of nothing',
      'dask-report.html',
      '<html><script type="application/json" id="x">{"',
    ),
    one(
      kind,
      'a page with deep JSON',
      'dask-report.html',
      `<html><script type="application/json">${'['.repeat(100_000)}`,
    ),
  ];
}

function notWhatTheySay(): BadInput[] {
  const kind = 'not what the name says';
  const metrics = JSON.stringify(plain());
  const bytes: Record<string, [path: string, content: string | Uint8Array<ArrayBuffer>]> = {
    'an empty file': ['metrics.json', ''],
    'an empty zip file': ['run.zip', ''],
    'an empty gz file': ['metrics.json.gz', ''],
    'metrics called zip': ['run.zip', metrics],
    'metrics called gz': ['metrics.json.gz', metrics],
    'gz called json': ['metrics.json', gzipSync(metrics)],
    'the first bytes of a zip': ['run.zip', Buffer.from('PK\x03\x04')],
    'the first bytes of gz': ['metrics.json.gz', Buffer.from([0x1f, 0x8b])],
    'the head of gz': [
      'metrics.json.gz',
      gzipSync(metrics).subarray(0, 10) as Uint8Array<ArrayBuffer>,
    ],
    'gz with something behind it': [
      'metrics.json.gz',
      Buffer.concat([gzipSync(metrics), Buffer.from('more')]),
    ],
    'two gz in one': ['metrics.json.gz', Buffer.concat([gzipSync(metrics), gzipSync(metrics)])],
    'an image': ['metrics.json', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    'a PDF': ['metrics.json', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n'],
    'a program': ['metrics.json', Buffer.from('\x7fELF\x02\x01\x01'.padEnd(4000, '\0'), 'latin1')],
    'a web page': ['metrics.json', '<!doctype html><title>404</title><h1>Not found</h1>'],
    'UTF-16': ['metrics.json', Buffer.from(`\ufeff${metrics}`, 'utf16le')],
    'a byte order mark': ['metrics.json', `\ufeff${metrics}`],
    'nothing but zeros': ['metrics.json', new Uint8Array(3_000_000)],
    'nothing but spaces': ['metrics.json', ' '.repeat(3_000_000)],
    'nothing but quotes': ['metrics.json', '"'.repeat(3_000_000)],
    'a pickle': ['metrics.json', Buffer.from('\x80\x04\x95cos\nsystem\n(S"true"\ntR.', 'latin1')],
  };
  return Object.entries(bytes).map(([name, [path, content]]) => one(kind, name, path, content));
}

async function bombs(): Promise<BadInput[]> {
  const kind = 'bombs';
  const zeros = await deflatedBomb('', '\0', 1024);
  const spaces = await deflatedBomb(
    '{"elapsed_time_seconds": 1, "raw_chunk_metrics": [',
    ' ',
    1024,
  );
  const string = await deflatedBomb(
    '{"elapsed_time_seconds": 1, "raw_chunk_metrics": [{"file": "',
    'a',
    1024,
  );
  const list = await deflatedBomb(
    '{"elapsed_time_seconds": 1, "raw_chunk_metrics": [',
    '{},',
    1024,
  );
  const brackets = await deflatedBomb(
    '{"elapsed_time_seconds": 1, "tracking_data": {"worker_cpu": {"w": [',
    '[[',
    4096,
  );
  const entry = (name: string, packed: Buffer): LyingEntry => ({ name, packed, size: 0xfffffff0 });
  const small = await deflatedBomb('', '\0', 15);
  let inside: Buffer<ArrayBuffer> = lyingZip([entry('metrics.json', zeros)]);
  for (let depth = 0; depth < 5; depth += 1) inside = lyingZip([honest(`${depth}.zip`, inside)]);
  return [
    one(kind, 'gz of a gigabyte of zeros', 'metrics.json.gz', asGzip(zeros)),
    one(kind, 'gz of a gigabyte of spaces in metrics', 'metrics.json.gz', asGzip(spaces)),
    one(kind, 'gz of a string of a gigabyte', 'metrics.json.gz', asGzip(string)),
    one(kind, 'gz of three hundred million chunks', 'metrics.json.gz', asGzip(list)),
    one(kind, 'gz of a billion brackets', 'metrics.json.gz', asGzip(brackets)),
    one(kind, 'gz in gz', 'metrics.json.gz', gzipSync(asGzip(spaces))),
    one(
      kind,
      'gz in gz in gz in gz in gz',
      'metrics.json.gz',
      [1, 2, 3, 4].reduce((packed) => gzipSync(packed), gzipSync('{}')),
    ),
    zip(kind, 'zip of a gigabyte', [entry('metrics.json', spaces)]),
    zip(kind, 'zip whose sizes are small', [{ name: 'metrics.json', packed: spaces, size: 100 }]),
    zip(
      kind,
      'zip of a hundred small bombs',
      Array.from({ length: 100 }, (_, index) => entry(`${index}/metrics.json`, small)),
    ),
    zip(
      kind,
      'zip of two thousand entries that are one',
      [entry('0/metrics.json', small)].concat(
        Array.from({ length: 2000 }, (_, index) => ({
          ...entry('0/metrics.json', small),
          at: 0,
          name: `${index}/metrics.json`,
        })),
      ),
    ),
    zip(kind, 'zip in zip in zip', [
      honest('a.zip', lyingZip([honest('b.zip', lyingZip([entry('metrics.json', spaces)]))])),
    ]),
    one(kind, 'six zips, one in another', 'run.zip', inside),
    zip(
      kind,
      'zip of sixty thousand empty files',
      Array.from({ length: 60_000 }, (_, index) => ({
        name: `${index}.json`,
        packed: Buffer.alloc(0),
        method: 0,
      })),
    ),
    zip(
      kind,
      'zip of three hundred small runs',
      Array.from({ length: 300 }, (_, index) =>
        honest(`${index}/metrics.json`, '{"elapsed_time_seconds": 1, "total_events": 2}'),
      ),
    ),
  ];
}

function archivesThatLie(): BadInput[] {
  const kind = 'archives that lie';
  const metrics = JSON.stringify(plain());
  const good = honest('run/metrics.json', metrics);
  return [
    zip(kind, 'a size too small', [{ ...good, size: 5 }]),
    zip(kind, 'a size too large', [{ ...good, size: 0x7fffffff }]),
    zip(kind, 'a packed size too small', [{ ...good, packedSize: 5 }]),
    zip(kind, 'a packed size too large', [{ ...good, packedSize: 0x7fffffff }]),
    zip(kind, 'a wrong sum', [{ ...good, crc: 1 }]),
    zip(kind, 'an unknown method', [{ ...good, method: 99 }]),
    zip(kind, 'encrypted', [{ ...good, flags: 1 }]),
    zip(kind, 'encrypted by AES', [{ ...good, flags: 1, method: 99 }]),
    zip(kind, 'damaged content', [
      { ...good, packed: Buffer.from(good.packed).fill(0xaa, 20, 60) },
    ]),
    zip(kind, 'stored, says deflate', [{ ...good, packed: Buffer.from(metrics), method: 8 }]),
    zip(kind, 'deflate, says stored', [{ ...good, packed: deflateRawSync(metrics), method: 0 }]),
    zip(kind, 'a directory of more entries than there are', [good], { count: 60_000 }),
    zip(
      kind,
      'a directory of fewer entries than there are',
      [good, honest('run/report.json', '{}')],
      { count: 1 },
    ),
    zip(kind, 'a directory that is elsewhere', [good], { directoryAt: 3 }),
    zip(kind, 'a directory behind the end', [good], { directoryAt: 0x7fffffff }),
    zip(kind, 'an entry that is elsewhere', [good, { ...good, name: 'other/metrics.json', at: 7 }]),
    zip(kind, 'an entry behind the end', [{ ...good, at: 0x7ffffff0 }, good]),
    zip(kind, 'no entries', []),
    zip(kind, 'the same name twice', [good, good]),
  ];
}

function pathTricks(): BadInput[] {
  const kind = 'tricks with paths';
  const metrics = JSON.stringify(plain());
  const names: (string | Buffer)[] = [
    '../../../etc/passwd',
    '/etc/metrics.json',
    'C:\\Windows\\metrics.json',
    '..\\..\\metrics.json',
    'a/../../metrics.json',
    '.',
    '..',
    '//host/share/metrics.json',
    'run/./metrics.json',
    'run//metrics.json',
    'metrics.json\0.exe',
    'CON/metrics.json',
    '__proto__/metrics.json',
    `${'d/'.repeat(10_000)}metrics.json`,
    'n'.repeat(60_000),
    '',
    Buffer.from([0xff, 0xfe, 0x2f, 0x80, 0x6d]),
    '%2e%2e/metrics.json',
    'http://127.0.0.1:1/metrics.json',
  ];
  return [
    ...names.map((name) =>
      zip(kind, `entry ${JSON.stringify(name.toString().slice(0, 30))}`, [honest(name, metrics)]),
    ),
    ...names.map((name) =>
      one(kind, `file ${JSON.stringify(name.toString().slice(0, 30))}`, name.toString(), metrics),
    ),
    zip(kind, 'a link', [{ ...honest('metrics.json', '/etc/passwd'), mode: 0o120777 }]),
    zip(kind, 'a device', [{ ...honest('metrics.json', metrics), mode: 0o060666 }]),
    zip(kind, 'a folder with content', [{ ...honest('metrics.json/', metrics), mode: 0o040755 }]),
  ];
}

function markup(): BadInput[] {
  return attacks.flatMap((attack, index) => [
    one(
      'markup in names',
      `metrics, attack ${index}`,
      `${attack}/metrics.json`,
      JSON.stringify(metricsNamed(() => attack)),
    ),
    zip('markup in names', `zip, attack ${index}`, [
      honest(`${attack}/metrics.json`, JSON.stringify(plain())),
    ]),
    one('markup in names', `no JSON, attack ${index}`, attack, attack),
    one(
      'markup in names',
      `stacks, attack ${index}`,
      `${attack}.folded`,
      `${attack.replaceAll(';', ',')};b 5\n`,
    ),
  ]);
}

export async function badByHand(): Promise<BadInput[]> {
  return [
    ...hostileJson(),
    ...otherTexts(),
    ...notWhatTheySay(),
    ...(await bombs()),
    ...archivesThatLie(),
    ...pathTricks(),
    ...markup(),
  ];
}
