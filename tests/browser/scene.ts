/** What every file of browser tests needs: the page served, a browser, and a folder to write in. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser } from './browsers';
import type { Driver } from './driver';
import { type Host, hostPage } from './settings';

export interface Scene {
  host: Host;
  driver: Driver;
  /** empty, and gone afterwards */
  folder: string;
}

/**
 * `open` starts the browser, by default that of CREMA_BROWSER. Sets the scene before the tests of a
 * file, hands it over, and clears it away; no test may leave complaints of the page.
 */
export function useScene(
  begin: (scene: Scene) => void,
  open: () => Promise<Driver> = openBrowser,
): void {
  let scene: Scene;
  beforeAll(async () => {
    scene = {
      host: await hostPage(),
      driver: await open(),
      folder: await mkdtemp(join(tmpdir(), 'crema-')),
    };
    begin(scene);
  });
  afterAll(async () => {
    await scene.driver.close();
    await scene.host.close();
    await rm(scene.folder, { recursive: true });
  });
  afterEach(async () => expect(await scene.driver.complaints()).toEqual([]));
}
