import type { RunId } from '../engine/engine';
import type { OptionsOf, QuestionName } from '../engine/questions';
import { answerOf } from './answers';
import { pendingLink, said } from './link';
import { openRuns } from './runs';
import { type ViewId, viewOf } from './view';

/**
 * Has `view` ask what it shows first of what was just opened, before what else the page asks. The
 * view finds the answers, or waits for the same ones, and says what is wrong with them.
 */
export function prefetchView(runs: readonly RunId[], view: ViewId): void {
  const link = pendingLink.peek();
  const [run, ...others] = runs;
  if (run === undefined || link?.selection || (link?.view && link.view !== view)) return;
  const { needs, prefetch } = viewOf(view);
  if (needs.runs > 1 || others.length === 0)
    prefetch?.(run, [...openRuns.peek().map(({ id }) => id), ...runs], said);
}

/** Asks for whoever will want it. */
export function prefetched<Q extends QuestionName>(
  runs: RunId | readonly RunId[],
  question: Q,
  options?: OptionsOf<Q>,
): void {
  answerOf(runs, question, options).catch(() => undefined);
}
