/**
 * A web server that sends a file as slowly as a test wants: in pieces, each when the test asks for
 * it.
 */
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';

export interface Feed {
  url: string;
  /**
   * Sends the next `bytes` of every download under way, and waits for one; resolves when they are
   * sent.
   */
  more(bytes: number): Promise<void>;
  close(): Promise<void>;
}

export async function feedFile(path: string, name: string): Promise<Feed> {
  const file: FileHandle = await open(path);
  const { size } = await file.stat();
  const downloads = new Map<ServerResponse, number>();
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-length': size, 'access-control-allow-origin': '*' })
      .flushHeaders();
    downloads.set(response, 0);
    response.on('close', () => downloads.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the file is not served');
  const send = async (response: ServerResponse, sent: number, bytes: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, sent);
    downloads.set(response, sent + bytesRead);
    // a download that the page gives up calls back, too
    await new Promise<void>((resolve) =>
      response.write(buffer.subarray(0, bytesRead), () => resolve()),
    );
    if (sent + bytesRead === size) response.end();
  };
  return {
    url: `http://127.0.0.1:${address.port}/${name}`,
    async more(bytes) {
      if (downloads.size === 0) await once(server, 'request');
      await Promise.all([...downloads].map(([response, sent]) => send(response, sent, bytes)));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await file.close();
    },
  };
}
