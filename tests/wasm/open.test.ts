import { gzipSync } from 'node:zlib';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import type { InputFile, Progress } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import { bundle, bundleNames, fileOf } from '../support/bundles';

let engine: CoreEngine;

beforeEach(async () => {
  engine = await createNodeEngine();
});

const text = (path: string, content: string): InputFile => ({ path, data: new Blob([content]) });

async function zipped(name: string, entries: Record<string, string>): Promise<InputFile> {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [path, content] of Object.entries(entries)) await zip.add(path, new TextReader(content));
  return { path: name, data: await zip.close() };
}

const metricsOf = async (name: string) => (await fileOf(name, 'metrics.json')).data.text();

describe('opening', () => {
  for (const name of bundleNames()) {
    it(`makes one run of ${name}`, async () => {
      const { runs, doubts } = await engine.open(await bundle(name));
      expect(doubts).toEqual([]);
      expect(runs).toHaveLength(1);
      expect((await engine.ask('runs')).rows).toBe(1);
      expect((await engine.ask('summary')).rows).toBeGreaterThan(20);
    });
  }

  it('makes one run of each of several folders', async () => {
    const files = [...(await bundle('scale-1')), ...(await bundle('scale-2')), ...(await bundle('scale-4'))];
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
    const { runs, doubts } = await engine.open([{ path: 'download.zip', data: await zip.close() }]);
    expect(doubts).toEqual([]);
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
    const packed = await engine.open([{ path: 'scale-1/metrics.json.gz', data: new Blob([gzipSync(metrics)]) }]);
    const summaryOf = ({ runs }: { runs: number[] }) => engine.answer('summary', { runs });
    expect(summaryOf(packed)).toEqual(summaryOf(plain));
  });

  it('that are damaged give what can be read, with a note, and what else there is opens', async () => {
    const zip = await zipped('broken.zip', { 'metrics.json': await metricsOf('scale-1') });
    const cut = { path: 'broken.zip', data: zip.data.slice(0, Math.floor(zip.data.size / 2)) };
    const { runs, doubts } = await engine.open([cut, ...(await bundle('scale-2'))]);
    expect(runs).toHaveLength(2);
    expect(doubts).toEqual([]);
    const notesOf = async (run: number | undefined) => {
      const notes = await engine.ask('quality', { runs: [run ?? -1] });
      return Array.from({ length: notes.rows }, (_, row) => [notes.text('file', row), notes.text('message', row)]);
    };
    const notes = await notesOf(runs[0]);
    expect(notes).toContainEqual(['broken.zip', expect.stringContaining('the archive is cut off')]);
    expect(notes).toContainEqual(['broken/metrics.json', 'it is cut off: its end is missing']);
    expect((await notesOf(runs[1])).some(([, message]) => message?.includes('cut off'))).toBe(false);
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
