/** The real speedscope viewer, and what its Sandwich must show of a file. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from './settings';

export interface SpeedscopeProfile {
  name: string;
  samples: number[][];
  weights: number[];
}

export interface SpeedscopeFile {
  shared: { frames: { name: string; file?: string; line?: number }[] };
  profiles: SpeedscopeProfile[];
}

/** "total self name" of every frame of a profile, as the viewer writes it, and how often. */
export function sandwichRows(
  { shared }: SpeedscopeFile,
  profile: SpeedscopeProfile,
): Map<string, number> {
  const total = shared.frames.map(() => 0);
  const self = shared.frames.map(() => 0);
  for (const [index, stack] of profile.samples.entries()) {
    const weight = profile.weights[index] ?? 0;
    for (const frame of new Set(stack)) total[frame] = (total[frame] ?? 0) + weight;
    const leaf = stack.at(-1);
    if (leaf !== undefined) self[leaf] = (self[leaf] ?? 0) + weight;
  }
  const rows = new Map<string, number>();
  const shown = (value = 0) => value.toLocaleString('en-US');
  for (const [frame, { name }] of shared.frames.entries()) {
    const row = `${shown(total[frame])} ${shown(self[frame])} ${name}`;
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  return rows;
}

/** "total self name" of a row of the viewer's table; undefined for its head. */
export function shownRow(text: string): string | undefined {
  const [, total, self, name] = /^([\d,.]+) \(.*?\) ([\d,.]+) \(.*?\) (.+)$/.exec(text) ?? [];
  return name === undefined ? undefined : `${total} ${self} ${name}`;
}

/** The viewer with `profile` opened in it as a file of that name, both of one origin. */
export async function serveSpeedscope(profile: Uint8Array, called = 'profile.json'): Promise<Host> {
  const release = fileURLToPath(
    new URL('../../node_modules/speedscope/dist/release/', import.meta.url),
  );
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.wasm': 'application/wasm',
  };
  const server: Server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || 'index.html';
    const content = name === called ? Promise.resolve(profile) : readFile(join(release, name));
    content.then(
      (bytes) =>
        response
          .setHeader('content-type', types[extname(name)] ?? 'application/octet-stream')
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the viewer is not served');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/#view=sandwich&profileURL=${encodeURIComponent(`${origin}/${called}`)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
