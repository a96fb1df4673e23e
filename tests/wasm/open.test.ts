import { gzipSync } from 'node:zlib';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import type { InputFile, Progress } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import { pieceSize, type Store } from '../../web/engine/pieces';
import { Table } from '../../web/engine/table';
import { bundle, bundleNames, fileOf } from '../support/bundles';
import { deflatedBomb, honest, lyingZip } from '../support/hostileZip';

let engine: CoreEngine;

beforeEach(async () => {
  engine = await createNodeEngine();
});

const text = (path: string, content: string): InputFile => ({ path, data: new Blob([content]) });

async function zipped(name: string, entries: Record<string, string>): Promise<InputFile> {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [path, content] of Object.entries(entries))
    await zip.add(path, new TextReader(content));
  return { path: name, data: await zip.close() };
}

const metricsOf = async (name: string) => (await fileOf(name, 'metrics.json')).data.text();

describe('opening', () => {
  for (const name of bundleNames()) {
    it(`makes one run of ${name}`, async () => {
      const { runs, dataNotes } = await engine.open(await bundle(name));
      expect(dataNotes).toEqual([]);
      expect(runs).toHaveLength(1);
      expect((await engine.ask('runs')).rows).toBe(1);
      expect((await engine.ask('summary')).rows).toBeGreaterThan(20);
    });
  }

  it('makes one run of each of several folders', async () => {
    const files = [
      ...(await bundle('scale-1')),
      ...(await bundle('scale-2')),
      ...(await bundle('scale-4')),
    ];
    expect((await engine.open(files)).runs).toHaveLength(3);
  });

  it('reports bytes and ends at the total', async () => {
    const files = await bundle('local-4x1');
    const seen: Progress[] = [];
    await engine.open(files, { onProgress: (progress) => seen.push(progress) });
    const total = files.reduce((sum, file) => sum + file.data.size, 0);
    expect(seen.at(-1)).toMatchObject({ loaded: total, total });
    expect(seen.map((progress) => progress.loaded)).toEqual(
      [...seen.map((progress) => progress.loaded)].sort((a, b) => a - b),
    );
  });

  it('hands out names as they are written, in whatever characters', async () => {
    const names = ['main', 'naïve', '\ufeffmark', '焙煎', '\u{1f375}'];
    await engine.open([text('run.folded', names.map((name) => `all;${name} 1`).join('\n'))]);
    const frames = await engine.ask('frames');
    expect(names.map((name) => frames.rowOf('name', name))).not.toContain(-1);
  });

  it('is cancelled between pieces, and the next opening works', async () => {
    const controller = new AbortController();
    const opening = engine.open(await bundle('local-4x1'), {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
    expect((await engine.open(await bundle('scale-1'))).runs).toHaveLength(1);
  });

  it('opens one after the other when asked at once', async () => {
    const [first, second] = await Promise.all([
      engine.open(await bundle('scale-1')),
      engine.open(await bundle('scale-2')),
    ]);
    expect(first.runs).not.toEqual(second.runs);
  });
});

describe('archives', () => {
  it('are folders of their own name', async () => {
    const zip = await zipped('scale-1.zip', { 'metrics.json': await metricsOf('scale-1') });
    await engine.open([zip]);
    expect((await engine.ask('sources')).text('file', 0)).toBe('scale-1/metrics.json');
  });

  it('may hold one folder, compressed files and what operating systems leave', async () => {
    const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    const metrics = gzipSync(await metricsOf('scale-1'));
    await zip.add('measured/', undefined, { directory: true });
    await zip.add('measured/metrics.json.gz', new Blob([metrics]).stream(), { level: 0 });
    await zip.add('measured/.DS_Store', new TextReader('x'));
    await zip.add('__MACOSX/measured/._metrics.json', new TextReader('x'));
    const { runs, dataNotes } = await engine.open([
      { path: 'download.zip', data: await zip.close() },
    ]);
    expect(dataNotes).toEqual([]);
    expect(runs).toHaveLength(1);
    expect((await engine.ask('sources')).text('file', 0)).toBe('measured/metrics.json');
  });

  it('are known by their content', async () => {
    const zip = await zipped('scale-1.zip', { 'metrics.json': await metricsOf('scale-1') });
    expect((await engine.open([{ path: 'unknown', data: zip.data }])).runs).toHaveLength(1);
  });

  it('give the same answers as the files in them', async () => {
    const metrics = await metricsOf('scale-1');
    const plain = await engine.open([text('scale-1/metrics.json', metrics)]);
    const packed = await engine.open([
      { path: 'scale-1/metrics.json.gz', data: new Blob([gzipSync(metrics)]) },
    ]);
    const summaryOf = ({ runs }: { runs: number[] }) => engine.answer('summary', { runs });
    expect(summaryOf(packed)).toEqual(summaryOf(plain));
  });

  it('that are damaged give what can be read, with a note, and what else there is opens', async () => {
    const zip = await zipped('broken.zip', { 'metrics.json': await metricsOf('scale-1') });
    const cut = { path: 'broken.zip', data: zip.data.slice(0, Math.floor(zip.data.size / 2)) };
    const { runs, dataNotes } = await engine.open([cut, ...(await bundle('scale-2'))]);
    expect(runs).toHaveLength(2);
    expect(dataNotes).toEqual([]);
    const notesOf = async (run: number | undefined) => {
      const notes = await engine.ask('quality', { runs: [run ?? -1] });
      return Array.from({ length: notes.rows }, (_, row) => [
        notes.text('file', row),
        notes.text('message', row),
      ]);
    };
    const notes = await notesOf(runs[0]);
    expect(notes).toContainEqual(['broken.zip', expect.stringContaining('the archive is cut off')]);
    expect(notes).toContainEqual(['broken/metrics.json', 'it is cut off: its end is missing']);
    expect((await notesOf(runs[1])).some(([, message]) => message?.includes('cut off'))).toBe(
      false,
    );
  });

  it('that are cut off give what could be unpacked', async () => {
    const packed = gzipSync(await metricsOf('local-4x1'));
    const cut = new Blob([packed.subarray(0, packed.length - 2000)]);
    const { runs } = await engine.open([{ path: 'local-4x1/metrics.json.gz', data: cut }]);
    expect(runs).toHaveLength(1);
  });
});

describe('what cannot be opened', () => {
  const cases: Record<string, InputFile[]> = {
    'an empty file': [text('metrics.json', '')],
    'no JSON': [text('notes.md', '# Notes\n')],
    'JSON of something else': [text('package.json', '{"name": "crema"}')],
    'nesting without end': [text('deep.json', '['.repeat(10_000))],
    nothing: [],
  };
  for (const [what, files] of Object.entries(cases)) {
    it(`is named: ${what}`, async () => {
      const opening = engine.open(files);
      await expect(opening).rejects.toMatchObject({ name: 'CoreError' });
      await expect(opening).rejects.toThrow(files[0]?.path ?? /./);
      expect((await engine.open(await bundle('scale-1'))).runs).toHaveLength(1);
    });
  }
});

describe('a file of which nothing more can be read', () => {
  const gigabyte = 2 ** 30;
  const [bracket] = Buffer.from('[');

  /** `head`, then brackets up to a gigabyte, made where they are read. */
  function brackets(
    path: string,
    head: string,
  ): { path: string; store: Store; read: () => number } {
    let end = 0;
    const read = async (from: number, to: number) => {
      end = Math.max(end, to);
      const piece = new Uint8Array(to - from).fill(bracket as number);
      piece.set(Buffer.from(head).subarray(from, to));
      return piece;
    };
    return { path, store: { size: gigabyte, read }, read: () => end };
  }

  it('is read only so far, and what came before is kept', async () => {
    const deep = brackets('run/metrics.json', '{"elapsed_time_seconds": 5, "tracking_data": ');
    const unknown = brackets('run/unknown.json', '');
    const { runs } = await engine.openStores([deep, unknown]);
    // the piece with the level too many, and the next, which is fetched meanwhile
    expect(deep.read()).toBeLessThanOrEqual(2 * pieceSize);
    expect(unknown.read()).toBeLessThanOrEqual(2 * pieceSize);
    const summary = await engine.ask('summary', { runs });
    expect(summary.number('value', summary.rowOf('id', 'elapsed_time_seconds'))).toBe(5);
    const notes = await engine.ask('quality', { runs });
    expect(notes.text('message', notes.rowOf('id', 'broken-json'))).toMatch(
      /more than 1048576 levels/,
    );
    const sources = await engine.ask('sources', { runs });
    expect(sources.number('size', sources.rowOf('file', 'run/unknown.json'))).toBe(gigabyte);
  });

  it('does not keep the rest of its archive from being read', async () => {
    const head = '{"elapsed_time_seconds": 5, "tracking_data": ';
    const packed = await deflatedBomb(head, '[', 20);
    const size = head.length + 20 * 2 ** 20;
    const zip = lyingZip([
      { name: 'a/metrics.json', packed, size },
      honest('b/metrics.json', '{"elapsed_time_seconds": 6, "tracking_data": null}'),
    ]);
    const { runs } = await engine.open([{ path: 'runs.zip', data: new Blob([zip]) }]);
    const times = runs.map((run) => {
      const runsTable = new Table(engine.answer('runs', { runs: [run] }));
      return runsTable.number('elapsed', 0);
    });
    expect(times).toEqual([5, 6]);
  });
});
