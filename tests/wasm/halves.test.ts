/** The core in two halves (scripts/split-core.mjs, web/engine/halves.ts) answers as it does whole. */
import { readFileSync } from 'node:fs';
import createCrema from 'crema-core/crema.js';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { canSplit, splitCore } from '../../scripts/split-core.mjs';
import { CoreEngine } from '../../web/engine/core';
import { JoinedHalves } from '../../web/engine/halves';
import { createNodeEngine } from '../../web/engine/node';
import { bundle } from '../support/bundles';

const bytesOf = (half: string) =>
  readFileSync(new URL(`../../build/wasm/split/${half}.wasm`, import.meta.url));

const rest = 'https://host.example/rest.wasm';

/** A server's answers to requests that wait; how many there were. */
function serveWaiting(status: number): { asked: number } {
  const seen = { asked: 0 };
  class Request {
    status = 0;
    response = new ArrayBuffer(0);
    open() {}
    send() {
      seen.asked += 1;
      this.status = status;
      this.response = new Uint8Array(bytesOf('rest')).buffer;
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  return seen;
}

async function startHalves() {
  const halves = new JoinedHalves({ first: new WebAssembly.Module(bytesOf('first')), rest });
  const crema = await new Promise<Awaited<ReturnType<typeof createCrema>>>((resolve, reject) => {
    createCrema({
      instantiateWasm(imports, done) {
        halves.start(imports).then((instance) => done(instance), reject);
        return {};
      },
    }).then(resolve, reject);
  });
  return { halves, engine: new CoreEngine(crema) };
}

const opened = async (engine: CoreEngine) => (await engine.open(await bundle('local-4x1'))).runs;

beforeAll(splitCore);
afterEach(() => {
  vi.unstubAllGlobals();
});

describe.runIf(canSplit())('a core in two halves', () => {
  it('opens a run and answers the Summary by the first, and fetches the second when it is called', async () => {
    const served = serveWaiting(200);
    const { engine } = await startHalves();
    const runs = await opened(engine);
    for (const question of ['summary', 'budget', 'core_time_tree', 'findings'] as const)
      await engine.ask(question, { runs });
    expect(served.asked).toBe(0);

    const whole = await createNodeEngine();
    const runsOfWhole = await opened(whole);
    for (const question of ['flame', 'history', 'whatif', 'workers', 'chunks'] as const)
      expect(await engine.ask(question, { runs })).toEqual(
        await whole.ask(question, { runs: runsOfWhole }),
      );
    expect(served.asked).toBe(1);
  });

  it('has the second fetched while nobody waits', async () => {
    const served = serveWaiting(200);
    vi.stubGlobal('fetch', async () => new Response(new Uint8Array(bytesOf('rest'))));
    const { halves, engine } = await startHalves();
    await halves.arrive();
    const runs = await opened(engine);
    expect((await engine.ask('flame', { runs })).rows).toBeGreaterThan(0);
    expect(served.asked).toBe(0);
  });

  it('says what is missing where the second cannot be had, and tries again', async () => {
    serveWaiting(404);
    const { engine } = await startHalves();
    const runs = await opened(engine);
    await expect(engine.ask('history', { runs })).rejects.toThrow(
      `${rest}, the second half of the core: the server answers 404`,
    );
    serveWaiting(200);
    expect((await engine.ask('history', { runs })).rows).toBe(1);
  });
});
