// Where the browsers for the tests are.
import { existsSync } from 'node:fs';
import { onPath } from './run.mjs';

const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A Chromium or Chrome: the one that CREMA_CHROMIUM names, or the first that is installed; undefined when there is none. */
export function findChromium() {
  return (
    process.env.CREMA_CHROMIUM ??
    onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome') ??
    elsewhere.find((path) => existsSync(path))
  );
}
