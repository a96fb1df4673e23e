/** What is said and done when the browser gives not enough memory. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import type { InputFile } from '../../web/engine/engine';
import { createNodeEngine } from '../../web/engine/node';
import { metricsPieces } from '../bench/generate.mjs';
import { bundle } from '../support/bundles';

let engine: CoreEngine;

beforeEach(async () => {
  engine = await createNodeEngine();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Its nine series take 250 x 1,000 x 72 bytes, 18 MB: more than the 16 MiB that a core starts with.
 */
const large: InputFile = {
  path: 'large/metrics.json',
  data: new Blob([...metricsPieces({ workers: 250, ticks: 1000, chunks: 100, compact: true })]),
};

/** From now on no memory grows, as when the browser has no more. */
function endMemory(): void {
  vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
  });
}

describe('when there is not enough memory', () => {
  it('says for which file, and what can be left out; then opens what fits', async () => {
    endMemory();
    const opening = engine.open([large]);
    await expect(opening).rejects.toMatchObject({ name: 'CoreError' });
    await expect(opening).rejects.toThrow(
      /large\/metrics\.json: .*not enough memory.*Close other runs, or .* without/,
    );
    expect((await engine.open(await bundle('local-4x1'))).runs).toHaveLength(1);
    expect((await engine.ask('summary')).rows).toBeGreaterThan(20);
  });

  it('leaves out that file alone, and keeps what is open', async () => {
    const before = await engine.open(await bundle('scale-1'));
    const asked = engine.answer('summary', { runs: before.runs });
    endMemory();
    const { runs, dataNotes } = await engine.open([large, ...(await bundle('scale-2'))]);
    expect(runs).toHaveLength(1);
    expect(dataNotes).toMatchObject([
      { id: 'reader-failed', severity: 'high', file: 'large/metrics.json' },
    ]);
    expect(engine.answer('summary', { runs: before.runs })).toEqual(asked);
  });

  it('opens the same file once there is', async () => {
    endMemory();
    await expect(engine.open([large])).rejects.toThrow(/not enough memory/);
    vi.restoreAllMocks();
    expect((await engine.open([large])).runs).toHaveLength(1);
  });
});
