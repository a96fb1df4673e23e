/**
 * Waiting for what the page is about to show: on a busy machine between any two lines of a test an
 * answer may come, or not yet.
 */
import { expect } from 'vitest';
import type { Driver } from './driver';
import { patienceMilliseconds } from './patience';

/**
 * Expects of what `ask` tells, again and again until it holds. For what `Driver.read` cannot wait
 * for.
 */
export const expectSoon = <T>(ask: () => Promise<T>, message?: string) =>
  expect.poll(ask, {
    timeout: patienceMilliseconds,
    ...(message === undefined ? {} : { message }),
  });

/**
 * Waits until no answer is awaited: until then what is shown may change, and what is pointed at may
 * move.
 */
export async function settled(driver: Driver): Promise<void> {
  await driver.gone('[aria-busy="true"]');
  await driver.gone('.panel-waiting');
}

/** Waits until the hosted page's service worker has all that it keeps. */
export const pageIsKept = (driver: Driver): Promise<void> =>
  expectSoon(() =>
    driver.evaluate(`navigator.serviceWorker.getRegistration().then((one) => one?.active?.state)`),
  ).toBe('activated');
