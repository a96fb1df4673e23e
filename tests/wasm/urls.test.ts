import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import { createNodeEngine } from '../../web/engine/node';

const data = fileURLToPath(new URL('../data', import.meta.url));

let server: Server;
let origin: string;
let engine: CoreEngine;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    // Some hosts answer every unknown address with their start page.
    if (path.startsWith('/friendly/')) return response.setHeader('content-type', 'text/html').end('<!doctype html>');
    readFile(data + path).then(
      (content) => response.setHeader('content-length', content.length).end(content),
      () => response.writeHead(404, 'Not Found').end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('nothing is served');
  origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => server.close());
beforeEach(async () => {
  engine = await createNodeEngine();
});

const titles = async () => {
  const runs = await engine.ask('runs');
  return Array.from({ length: runs.rows }, (_, row) => runs.text('title', row));
};

describe('an address', () => {
  it('of a file names the run after its folder', async () => {
    await engine.openUrls([`${origin}/scale-1/metrics.json`]);
    expect(await titles()).toEqual(['scale-1']);
  });

  it('of a folder brings the files that bundles have', async () => {
    const { doubts } = await engine.openUrls([`${origin}/local-4x1/`]);
    expect(doubts).toEqual([]);
    const sources = await engine.ask('sources');
    const files = Array.from({ length: sources.rows }, (_, row) => sources.text('file', row));
    expect(files).toContain('local-4x1/metrics.json');
    expect(files).toContain('local-4x1/dask_profiles.json');
    expect(files).toContain('local-4x1/report.json');
  });

  it('may be one of several', async () => {
    await engine.openUrls([`${origin}/scale-1/`, `${origin}/scale-2/`]);
    expect((await titles()).sort()).toEqual(['scale-1', 'scale-2']);
  });

  it('that leads nowhere is named', async () => {
    for (const [url, why] of [
      [`${origin}/none.json`, '404'],
      [`${origin}/none/`, '404'],
      [`${origin}/friendly/metrics.json`, 'web page'],
      ['http://127.0.0.1:1/metrics.json', 'cannot be fetched'],
    ] as const) {
      const opening = engine.openUrls([url]);
      await expect(opening, url).rejects.toMatchObject({ name: 'CoreError' });
      await expect(opening, url).rejects.toThrow(url);
      await expect(opening, url).rejects.toThrow(why);
    }
  });
});
