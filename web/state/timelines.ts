import { signal } from '@preact/signals';
import type { Seconds } from '../engine/engine';
import { initial } from './parameters';
import { forgetWithRun } from './runs';

/** How the Timelines are looked at: all of it stands in the address (parameters.ts). */

/** The visible part of the run axis; undefined = all of it. */
export const zoom = signal(initial('zoom'));
/** Pinned cursors, at most two: the stretch between two is measured. */
export const pins = signal(initial('pins'));
/** Tracks that were folded (true) or unfolded by hand. */
export const folded = signal(initial('folded'));
/** Forms that were chosen by hand. */
export const chosenForms = signal(initial('chosenForms'));
export const rowOrder = signal(initial('rowOrder'));
export const barColour = signal(initial('barColour'));
/** Undefined: what suits the data. */
export const barKind = signal(initial('barKind'));
/** Time of day by the scheduler's clock instead of seconds since the start. */
export const wallClock = signal(initial('wallClock'));

forgetWithRun(() => {
  zoom.value = initial('zoom');
  pins.value = initial('pins');
});

/** Pins a moment: the second pin measures, the third begins anew. */
export function pinAt(moment: Seconds): void {
  const now = pins.peek();
  pins.value = now.length >= 2 ? [moment] : [...now, moment];
}

/** Takes back the last pin; false when there is none. */
export function unpin(): boolean {
  if (pins.peek().length === 0) return false;
  pins.value = pins.peek().slice(0, -1);
  return true;
}
