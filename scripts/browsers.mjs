// Where the browsers for the tests are.
import { existsSync, readdirSync } from 'node:fs';
import { onPath } from './run.mjs';

const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * A Chromium or Chrome: the one that CREMA_CHROMIUM names, or the first that is installed;
 * undefined when there is none.
 */
export function findChromium() {
  return (
    process.env.CREMA_CHROMIUM ??
    onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome') ??
    elsewhere.find((path) => existsSync(path))
  );
}

/** A Firefox, likewise. */
export function findFirefox() {
  return process.env.CREMA_FIREFOX ?? onPath('firefox-esr', 'firefox');
}

/**
 * WebKit's small browser and the server that drives it (Debian: webkit2gtk-driver, xvfb); undefined
 * when there is none.
 */
export function findWebKit() {
  const driver = onPath('WebKitWebDriver');
  const display = onPath('xvfb-run');
  if (!driver || !display) return undefined;
  const folders = ['/usr/lib', '/usr/libexec'].filter(existsSync);
  for (const folder of [...folders, ...folders.flatMap(foldersIn)]) {
    for (const port of ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0']) {
      const browser = `${folder}/${port}/MiniBrowser`;
      if (existsSync(browser)) return { driver, browser };
    }
  }
  return undefined;
}

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);
