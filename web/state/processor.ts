import { signal } from '@preact/signals';
import type { RunId } from '../engine/engine';

/**
 * Which task prefix the user calls the processor, by run; a run without one leaves it to the core's
 * guess. It goes with every question, and the core heeds it where it matters.
 */
const chosen = signal<ReadonlyMap<RunId, string>>(new Map());

export const processorOf = (run: RunId | undefined): string | undefined =>
  run === undefined ? undefined : chosen.value.get(run);

/** Chooses for a run; undefined = let the core guess. */
export function chooseProcessor(run: RunId, prefix: string | undefined): void {
  const next = new Map(chosen.peek());
  if (prefix === undefined) next.delete(run);
  else next.set(run, prefix);
  chosen.value = next;
}
