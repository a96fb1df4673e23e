import { signal } from '@preact/signals';
import type { RunId } from '../engine/engine';
import type { OptionsOf, QuestionName } from '../engine/questions';

/**
 * Which task prefix the user calls the processor, by run; a run without one leaves it to the core's
 * guess.
 */
const chosen = signal<ReadonlyMap<RunId, string>>(new Map());

export const processorOf = (run: RunId | undefined): string | undefined =>
  run === undefined ? undefined : chosen.value.get(run);

/** The questions that take the option; a question too many or too few does not compile. */
const takesProcessor: {
  [Q in QuestionName as 'processor' extends keyof OptionsOf<Q> ? Q : never]: true;
} = {
  summary: true,
  budget: true,
  core_time_tree: true,
  core_time_bins: true,
  core_time_part: true,
  findings: true,
  advice: true,
  quality: true,
  workers: true,
  input: true,
  bytes: true,
  fine: true,
  fine_functions: true,
  task_prefixes: true,
  tail: true,
  excess: true,
  now: true,
  chunk_sizes: true,
  tasks: true,
  compare: true,
  compare_matrix: true,
  compare_steps: true,
  verdict: true,
  check: true,
  scaling: true,
  scaling_curve: true,
  whatif: true,
  bounds: true,
  efficiency: true,
};

/**
 * The option that a question about `run` needs so that the user's choice holds everywhere; {} when
 * none.
 */
export function processorOption(
  run: RunId | undefined,
  question: QuestionName,
): { processor?: string } {
  const prefix = question in takesProcessor ? processorOf(run) : undefined;
  return prefix === undefined ? {} : { processor: prefix };
}

/** Chooses for a run; undefined = let the core guess. */
export function chooseProcessor(run: RunId, prefix: string | undefined): void {
  const next = new Map(chosen.peek());
  if (prefix === undefined) next.delete(run);
  else next.set(run, prefix);
  chosen.value = next;
}
