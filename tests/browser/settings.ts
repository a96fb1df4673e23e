/** Where the page is tested: as it is hosted, and as the one file that it also is. */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { preview } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const singlePage = pathToFileURL(here('../../dist/crema.html')).href;

export interface Host {
  url: string;
  close(): Promise<void>;
}

/** Serves dist/ as any static web server does. */
export async function hostPage(): Promise<Host> {
  if (!existsSync(here('../../dist/index.html')))
    throw new Error('dist/ is not built: npm run build');
  const server = await preview({
    configFile: here('../../vite.config.ts'),
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0, open: false },
  });
  const address = server.httpServer.address();
  if (!address || typeof address === 'string') throw new Error('the page is not served');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
