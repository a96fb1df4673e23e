/**
 * What the bench runs in a browser's worker: the core and its peers, on the same bytes or the same
 * File.
 */
import createCrema from 'crema-core/crema.js';
import { CoreEngine } from '../../web/engine/core';
import { pieceSize, piecesOf, storeOf } from '../../web/engine/pieces';
import { compare } from './open_bytes.mjs';

interface Task {
  what: 'compare' | 'read' | 'open';
  wasm: ArrayBuffer;
  file: File;
  rounds: number;
}

const milliseconds = async (work: () => Promise<unknown>) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

async function throwAway(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

/** Ways to have a File's bytes once, in pieces, in a worker. */
const ways: Record<string, (file: File) => Promise<void>> = {
  stream: (file) => throwAway(file.stream()),
  'stream, two own buffers (as the page does)': async (file) => {
    for await (const _ of piecesOf(storeOf(file)));
  },
  slices: async (file) => {
    for (let at = 0; at < file.size; at += pieceSize)
      await file.slice(at, at + pieceSize).arrayBuffer();
  },
  'slices, one ahead': async (file) => {
    const { size, read } = storeOf(file);
    for await (const _ of piecesOf({ size, read }));
  },
  'FileReaderSync, slices': async (file) => {
    // Of workers only, and not in the types of a page.
    const { FileReaderSync } = globalThis as unknown as {
      FileReaderSync: new () => { readAsArrayBuffer(b: Blob): ArrayBuffer };
    };
    const reader = new FileReaderSync();
    for (let at = 0; at < file.size; at += pieceSize)
      reader.readAsArrayBuffer(file.slice(at, at + pieceSize));
  },
};

async function perform({ what, wasm, file, rounds }: Task): Promise<unknown> {
  const crema = await createCrema({ wasmBinary: wasm });
  if (what === 'compare')
    return compare(crema.Session, new Uint8Array(await file.arrayBuffer()), rounds);
  const open = async () => {
    const engine = new CoreEngine(crema);
    const { runs } = await engine.open([{ path: 'metrics.json', data: file }]);
    await engine.close(runs[0] ?? 0);
  };
  if (what === 'open') return milliseconds(open);
  // All in turn, so that what happens to the machine meanwhile happens to all.
  const times: Record<string, number[]> = {
    run: [],
    ...Object.fromEntries(Object.keys(ways).map((way) => [way, []])),
  };
  for (let round = 0; round <= rounds; round++) {
    for (const [way, read] of Object.entries(ways))
      times[way]?.push(await milliseconds(() => read(file)));
    times.run?.push(await milliseconds(open));
  }
  return times;
}

globalThis.onmessage = async ({ data }: MessageEvent<Task>) => {
  try {
    globalThis.postMessage({ answer: await perform(data) });
  } catch (problem) {
    globalThis.postMessage({ problem: String(problem) });
  }
};
