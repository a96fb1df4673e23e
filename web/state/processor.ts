import { signal } from '@preact/signals';
import type { RunId } from '../engine/engine';
import { optionNames, type QuestionName } from '../engine/questions';

/**
 * Which task prefix the user calls the processor, by run; a run without one leaves it to the core's
 * guess.
 */
const chosen = signal<ReadonlyMap<RunId, string>>(new Map());

export const processorOf = (run: RunId | undefined): string | undefined =>
  run === undefined ? undefined : chosen.value.get(run);

/**
 * The option that a question about `run` needs so that the user's choice holds everywhere; {} when
 * none.
 */
export function processorOption(
  run: RunId | undefined,
  question: QuestionName,
): { processor?: string } {
  const prefix = optionNames[question].includes('processor') ? processorOf(run) : undefined;
  return prefix === undefined ? {} : { processor: prefix };
}

/** Chooses for a run; undefined = let the core guess. */
export function chooseProcessor(run: RunId, prefix: string | undefined): void {
  const next = new Map(chosen.peek());
  if (prefix === undefined) next.delete(run);
  else next.set(run, prefix);
  chosen.value = next;
}
