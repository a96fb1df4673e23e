// The browsers in which pages are measured, and how puppeteer starts each.
import { spawn } from 'node:child_process';
import { findChromium, findFirefox } from '../../scripts/browsers.mjs';
import { Failed, onPath } from '../../scripts/run.mjs';
import { chromium, patience, withGl, withoutGl } from './in_chromium.mjs';

let display;

/** A screen that nobody looks at, until this process ends: Firefox has WebGL only in a window. */
function screen() {
  display ??= new Promise((resolve, reject) => {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    process.once('exit', () => server.kill());
    server.once('error', reject);
    server.once('exit', () => reject(new Failed('Xvfb has ended.')));
    server.stdio[3].once('data', (number) => resolve(`:${String(number).trim()}`));
    server.stdio[3].unref();
    server.unref();
  });
  return display;
}

/** `launch`: with a profile of its own in that folder, with WebGL (`gl`) or without. */
const engines = [
  {
    name: 'chromium',
    find: findChromium,
    launch: async (profile, gl) => ({ ...chromium(gl ? withGl : withoutGl), userDataDir: profile }),
  },
  {
    name: 'firefox',
    find: () => onPath('Xvfb') && findFirefox(),
    launch: async (profile) => ({
      browser: 'firefox',
      executablePath: findFirefox(),
      headless: false,
      env: { ...process.env, DISPLAY: await screen() },
      protocolTimeout: patience,
      userDataDir: profile,
      extraPrefsFirefox: {
        'datareporting.policy.dataSubmissionEnabled': false,
        'app.update.auto': false,
        'webgl.force-enabled': true, // by the processor, as in Chromium
      },
    }),
  },
];

/** Those that are on this machine, or the one of that name. */
export function enginesAt(wanted) {
  const found = engines.filter(({ name, find }) => find() && (!wanted || wanted === name));
  if (found.length === 0) throw new Failed(`There is no browser ${wanted ?? 'here'}.`);
  return found;
}
