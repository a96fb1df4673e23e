import { signal } from '@preact/signals';

/** Which dialogs are shown: known to buttons and keys before the dialogs' code is there. */
export const helpShown = signal(false);
export const shareShown = signal(false);
export const recordShown = signal(false);
