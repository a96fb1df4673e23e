import { signal } from '@preact/signals';

/**
 * Which of the page's dialogs are shown: known to buttons and keys before the dialogs' code is
 * there.
 */
export const helpShown = signal(false);
export const shareShown = signal(false);
export const recordShown = signal(false);
