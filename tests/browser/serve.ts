/**
 * A web server as plain as they come: a folder and some pages, with the headers and at the path
 * that a test wants.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Headers that let pages of other origins read an answer. */
export const readableByAll = { 'access-control-allow-origin': '*' };

export interface Served {
  url: string;
  /** what was asked for so far: paths */
  asked: string[];
  close(): Promise<void>;
}

export interface Serving {
  folder?: string;
  /** texts by their paths, which begin with "/" */
  pages?: Record<string, string>;
  /** the path under which all lies, with "/" at both ends */
  under?: string;
  headers?: Record<string, string>;
  address?: string;
  /** a cookie that pages give, and without which there are no archives */
  cookie?: string;
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.zip': 'application/zip',
};

/** Anything else is answered 404, as GitHub Pages does. */
export async function serve({
  folder,
  pages = {},
  under = '/',
  headers = {},
  address = '127.0.0.1',
  cookie,
}: Serving): Promise<Served> {
  const asked: string[] = [];
  const read = (path: string): Promise<Uint8Array | string> | string => {
    const page = pages[path];
    if (page !== undefined) return page;
    if (!folder) throw new Error('no such page');
    return readFile(join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path)));
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://any').pathname);
    asked.push(path);
    try {
      if (!path.startsWith(under)) throw new Error('outside');
      const inside = `/${path.slice(under.length)}`;
      const isKnown = !cookie || request.headers.cookie?.includes(cookie);
      if (inside.endsWith('.zip') && !isKnown) {
        // as servers do that want a login first
        response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end('<h1>Log in</h1>');
        return;
      }
      const content = await read(inside);
      const type = inside.endsWith('/') ? 'text/html' : types[extname(inside)];
      response
        .writeHead(200, {
          ...headers,
          ...(type && { 'content-type': type }),
          ...(cookie && type === 'text/html' && { 'set-cookie': `${cookie}; HttpOnly` }),
        })
        .end(content);
    } catch {
      response.writeHead(404, { ...headers, 'content-type': 'text/html' }).end('<h1>404</h1>');
    }
  });
  await new Promise<void>((resolve, reject) =>
    server.on('error', reject).listen(0, address, resolve),
  );
  const bound = server.address();
  if (!bound || typeof bound === 'string') throw new Error('nothing is served');
  return {
    url: `http://${address}:${bound.port}${under}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
