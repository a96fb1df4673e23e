// npm start: builds what the page needs and serves it on localhost.
//
//   npm start -- --port 5200   serves it at this port (default: 5173)
//   npm start -- --no-open     opens no browser
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { buildPreset } from './native.mjs';
import { main } from './run.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '5173' },
      'no-open': { type: 'boolean', default: false },
    },
  });
  await setUp(['quick']);
  await buildPreset('quick', ['crema_wasm']);
  // Only now is Vite sure to be installed.
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: 'vite.config.ts',
    server: { port: Number(values.port), open: false },
  });
  await server.listen();
  const url = server.resolvedUrls?.local[0] ?? `http://localhost:${values.port}/`;
  console.log(`\nCrema is at ${url} (Ctrl-C ends it)`);
  if (!values['no-open'] && !process.env.CI) openBrowser(url);
});

/** Shows `url` where there is a browser and a screen; it is no failure when there is none. */
function openBrowser(url) {
  const screen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!screen) return;
  const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[
    process.platform
  ] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
