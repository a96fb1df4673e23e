import { describe, expect, it } from 'vitest';
import { keptUnlessFailed, WorkerEngine } from '../../web/engine/browser';
import {
  coreStopped,
  failureOf,
  type Request,
  type Response,
  type WasmSource,
} from '../../web/engine/protocol';

/** A worker that opens one run per file and answers when told to, or at once. */
class FakeWorker {
  onmessage: ((event: { data: Response }) => void) | null = null;
  isTerminated = false;
  firstRun = 0;
  held?: (() => void)[];
  onClosed?: () => void;
  readonly heard: string[] = [];

  postMessage(request: Request): void {
    this.heard.push(request.type);
    if (request.type === 'cancel' || request.type === 'piece') return;
    const answer = () => {
      this.onmessage?.({ data: { type: 'done', id: request.id, answer: this.#answer(request) } });
      if (request.type === 'close') this.onClosed?.();
    };
    if (this.held && request.type === 'ask') this.held.push(answer);
    else setTimeout(answer);
  }

  #answer(request: Request) {
    if (request.type === 'start') this.firstRun = request.firstRun;
    if (request.type !== 'open') return undefined;
    const runs = request.files.map((_, index) => this.firstRun + index);
    this.firstRun += runs.length;
    return { runs, from: [], contents: [], dataNotes: [] };
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function create(wasm: () => Promise<WasmSource> = async () => new ArrayBuffer(8)) {
  const workers: FakeWorker[] = [];
  const createWorker = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  };
  return { engine: new WorkerEngine(createWorker, wasm), workers };
}

/** Gives others their turn until it holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve));
}

const file = { path: 'metrics.json', data: new Blob(['{}']) };

describe('the worker', () => {
  it('is replaced when the last run is closed, and ids go on', async () => {
    const { engine, workers } = create();
    expect((await engine.open([file, file])).runs).toEqual([0, 1]);
    await engine.close(0);
    expect(workers.map((one) => one.isTerminated)).toEqual([false]);
    await engine.close(1);
    await until(() => workers.length === 2);
    expect(workers.map((one) => one.isTerminated)).toEqual([true, false]);
    expect((await engine.open([file])).runs).toEqual([2]);
  });

  it('is replaced only when it owes no answer', async () => {
    const { engine, workers } = create();
    await engine.open([file]);
    const held: (() => void)[] = [];
    Object.assign(workers[0] ?? {}, { held });
    const asked = engine.ask('summary').catch(() => undefined);
    await engine.ready();
    await engine.close(0);
    expect(workers[0]?.isTerminated).toBe(false);
    for (const answer of held) answer();
    await asked;
    await until(() => workers.length === 2);
    expect(workers.map((one) => one.isTerminated)).toEqual([true, false]);
  });

  it('stays for a run that is being opened while the last one is closed', async () => {
    const { engine, workers } = create();
    await engine.open([file]);
    const [, { runs }] = await Promise.all([engine.close(0), engine.open([file])]);
    expect(runs).toEqual([1]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(workers.map((one) => one.isTerminated)).toEqual([false]);
  });

  it('hears of nothing before it has started, not even when it has just replaced another', async () => {
    // in whichever turn after the answer about the last run the next is opened
    for (let turns = 0; turns < 12; turns += 1) {
      const { engine, workers } = create();
      await engine.open([file]);
      const opening = new Promise((resolve) => {
        const wait = (left: number) =>
          left > 0 ? queueMicrotask(() => wait(left - 1)) : resolve(engine.open([file]));
        Object.assign(workers[0] ?? {}, { onClosed: () => wait(turns) });
      });
      await engine.close(0);
      await opening;
      for (const { heard } of workers) expect(heard[0]).toBe('start');
    }
  });

  it('is told to give up an opening only after it has heard of it', async () => {
    const { engine, workers } = create();
    const controller = new AbortController();
    const opening = engine.open([file], { signal: controller.signal });
    controller.abort();
    await opening;
    expect(workers[0]?.heard).toEqual(['start', 'open', 'cancel']);
  });
});

describe('a core that cannot be downloaded', () => {
  it('is said by what is asked, and downloaded again for what is asked next', async () => {
    let downloads = 0;
    const wasm = keptUnlessFailed(async () => {
      downloads += 1;
      if (downloads === 1) throw new Error('Failed to fetch');
      return new ArrayBuffer(8);
    });
    const { engine } = create(wasm);
    await expect(engine.open([file])).rejects.toThrow('the core has stopped (Failed to fetch)');
    expect((await engine.open([file])).runs).toEqual([0]);
    await wasm();
    expect(downloads).toBe(2);
  });

  it('fails whatever is asked as long as it cannot be', async () => {
    const { engine } = create(() => Promise.reject(new Error('offline')));
    for (const _ of [1, 2]) await expect(engine.open([file])).rejects.toThrow('offline');
    await expect(engine.ask('summary')).rejects.toThrow('offline');
  });
});

describe('a problem in the worker', () => {
  const thrownBy = (act: () => unknown): unknown => {
    try {
      act();
    } catch (problem) {
      return problem;
    }
    return undefined;
  };

  it('ends the core when that has trapped, or its stack was too small', () => {
    const deeper = (): number => 1 + deeper();
    expect(failureOf(thrownBy(deeper)).name).toBe(coreStopped);
    // what WebKit and Firefox say of it
    expect(failureOf(new RangeError('Maximum call stack size exceeded.')).name).toBe(coreStopped);
    const inFirefox = Object.assign(new Error('too much recursion'), { name: 'InternalError' });
    expect(failureOf(inFirefox).name).toBe(coreStopped);
    expect(failureOf(new WebAssembly.RuntimeError('unreachable')).name).toBe(coreStopped);
  });

  it('is that of one request alone when an array was too large', () => {
    const problem = thrownBy(() => new Uint8Array(-1));
    expect(problem).toBeInstanceOf(RangeError);
    expect(failureOf(problem).name).toBe('RangeError');
    expect(failureOf('odd')).toEqual({ name: 'Error', message: 'odd' });
  });
});
