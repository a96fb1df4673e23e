import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CoreEngine } from '../../web/engine/core';
import { createNodeEngine } from '../../web/engine/node';

const data = fileURLToPath(new URL('../data', import.meta.url));

/**
 * What a server says of its folders: as a file that somebody wrote, as Apache and as nginx list.
 */
const indices: Record<string, string> = {
  '/study/index.json':
    '{"files": ["scale-1/metrics.json", "scale-1/start_end_time.txt", "scale-2/metrics.json", "/etc/x.json"]}',
  '/listed/':
    '<html><a href="?C=N;O=D">Name</a><a href="/">up</a><a href="scale-1/">scale-1/</a> <a href=\'scale-4/\'>scale-4/</a> <a href=".ipynb_checkpoints/">.ipynb_checkpoints/</a></html>',
  '/listed/scale-1/':
    '<a href="../">..</a><a href="metrics.json">metrics.json</a><a href="big.root">big.root</a>',
  '/listed/scale-4/':
    '[{"name": "metrics.json", "type": "file"}, {"name": "start_end_time.txt", "type": "file"}]',
  '/tools/index.json': '["memray.csv"]',
  '/taskvine/': '<a href="transactions">transactions</a><a href="events.root">events.root</a>',
};

let server: Server;
const requested = new Set<string>();
let origin: string;
let engine: CoreEngine;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    requested.add(path);
    // Some hosts answer every unknown address with their start page.
    if (path.startsWith('/friendly/'))
      return response.setHeader('content-type', 'text/html').end('<!doctype html>');
    if (path in indices) {
      const text = indices[path] ?? '';
      return response
        .setHeader('content-type', text.startsWith('<') ? 'text/html' : 'application/json')
        .end(text);
    }
    readFile(data + path.replace(/^\/(study|listed)\//, '/')).then(
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

  it('of a folder that is not listed is asked for every file that crema.record writes', async () => {
    const source = fileURLToPath(new URL('../../python/cremascope/gather.py', import.meta.url));
    const names = (await readFile(source, 'utf8')).match(/(?<=")\w+\.json(\.gz)?(?=")/g) ?? [];
    expect(names).toContain('task_stream.json.gz');
    await engine.openUrls([`${origin}/scale-1/`]);
    for (const name of names) expect(requested).toContain(`/scale-1/${name}`);
  });

  it('of a folder brings the files that bundles have', async () => {
    const { dataNotes } = await engine.openUrls([`${origin}/local-4x1/`]);
    expect(dataNotes).toEqual([]);
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

  it('of a folder of runs brings what its index names, or its server lists', async () => {
    await engine.openUrls([`${origin}/study/`]);
    expect((await titles()).sort()).toEqual(['scale-1', 'scale-2']);
    const listed = await createNodeEngine();
    const { dataNotes } = await listed.openUrls([`${origin}/listed/`]);
    expect(dataNotes).toEqual([]);
    expect([...requested].filter((path) => path.includes('.ipynb_checkpoints'))).toEqual([]);
    const runs = await listed.ask('runs');
    expect(Array.from({ length: runs.rows }, (_, row) => runs.text('title', row)).sort()).toEqual([
      'scale-1',
      'scale-4',
    ]);
  });

  it('of a folder brings files of other tools', async () => {
    const { runs } = await engine.openUrls([`${origin}/tools/`]);
    expect(runs).toHaveLength(1);
    // the sample is packed: what counts is what is asked for
    await expect(engine.openUrls([`${origin}/taskvine/`])).rejects.toThrow('taskvine/transactions');
    expect(requested).not.toContain('/taskvine/events.root');
  });

  it('that cannot be had keeps others from nothing', async () => {
    const { runs, dataNotes } = await engine.openUrls([
      `${origin}/none.json`,
      `${origin}/scale-1/metrics.json`,
    ]);
    expect(runs).toHaveLength(1);
    expect(dataNotes.map((note) => note.message)).toEqual([
      `${origin}/none.json: the server answers 404 Not Found`,
    ]);
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
