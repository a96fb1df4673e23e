/**
 * The engines that the tests can drive. CREMA_BROWSER names one: chromium (by default), firefox or
 * webkit.
 */
import { openChromium } from './chromium';
import type { Driver } from './driver';
import { openFirefox } from './firefox';
import { openWebKit } from './webkit';

const openers: Record<string, () => Promise<Driver>> = {
  chromium: openChromium,
  firefox: openFirefox,
  webkit: openWebKit,
};

export const engine = process.env.CREMA_BROWSER ?? 'chromium';

export function openBrowser(): Promise<Driver> {
  const open = openers[engine];
  if (!open)
    throw new Error(`CREMA_BROWSER=${engine} is not one of ${Object.keys(openers).join(', ')}`);
  return open();
}
