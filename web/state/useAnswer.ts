import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunId, Selection } from '../engine/engine';
import type { OptionsOf, QuestionName } from '../engine/questions';
import { usePlace } from '../ui/sight';
import { type Answer, LatestQuery, limiterNow, requestFor } from './answers';
import { activeRunId } from './runs';

export type { Answer } from './answers';

/** Answers that are shown with a next frame, by the place that shows them. */
const due = new Map<(answer: Answer) => void, Answer>();
let firstDue = 0;
/** How long what is there waits for what is still computed [ms]: drawing a view often takes as long. */
const together = 50;

function showDue(): void {
  const now = [...due];
  due.clear();
  for (const [show, answer] of now) show(answer);
}

function showTogether(): void {
  if (limiterNow().isSightIdle || performance.now() - firstDue > together) showDue();
  else requestAnimationFrame(showTogether);
}

/**
 * A view shows a dozen answers: those that come soon after each other draw it once. That one is
 * awaited is shown at once.
 */
function showSoon(show: (answer: Answer) => void, answer: Answer): void {
  if (answer.pending || document.hidden) {
    due.delete(show);
    show(answer);
    return;
  }
  if (due.size === 0) {
    firstDue = performance.now();
    requestAnimationFrame(showTogether);
  }
  due.set(show, answer);
}

/** The same of several runs at once, in their order; of none nothing is asked. */
export function useAnswerOf<Q extends QuestionName>(
  runs: readonly RunId[],
  question: Q | '',
  selection: Selection = {},
  options: OptionsOf<Q> = {},
): Answer<Q> {
  const request =
    runs.length > 0 && question ? requestFor(runs, question, selection, options) : undefined;
  const place = usePlace();
  const [came, show] = useState<Answer>();
  const [query] = useState(() => new LatestQuery((next) => showSoon(show, next), place));
  // that another answer is awaited is drawn with what asks for it, not once more after that
  const now = useRef<{ key: string | undefined; came: Answer | undefined; answer: Answer }>(null);
  if (now.current?.key !== request?.key || !now.current) {
    due.delete(show);
    now.current = { key: request?.key, came, answer: query.expect(request) };
  } else if (came && came !== now.current.came)
    now.current = { ...now.current, came, answer: came };
  useLayoutEffect(() => void query.ask(), [request?.key]);
  useEffect(() => () => query.close(), []);
  return now.current.answer as Answer<Q>;
}

/**
 * Asks `question` of the shown run and keeps the last picture until the new answer is there.
 * `question` '' asks nothing.
 */
export function useAnswer<Q extends QuestionName>(
  question: Q | '',
  selection: Selection = {},
  options: OptionsOf<Q> = {},
): Answer<Q> {
  const run = activeRunId.value;
  return useAnswerOf(run === undefined ? [] : [run], question, selection, options);
}

/** `value` as it was when what is shown of an answer was asked for. */
export function useHeld<T>({ pending }: Answer, value: T): T {
  const held = useRef(value);
  if (!pending) held.current = value;
  return held.current;
}

/** Once all that is on screen has been answered. */
export async function answered(): Promise<void> {
  // what has changed just now is asked when it is drawn
  await new Promise((resolve) => setTimeout(resolve, 0));
  await limiterNow().idle();
  showDue();
}
