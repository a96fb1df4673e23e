import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Answer } from '../../state/answers';

/** How many answers the tracks wait for: the panel shows its thin line meanwhile. */
export const pendingTrackAnswers = signal(0);

/** Counts the answers a track waits for. */
export function useTrackAnswers(...answers: readonly Answer[]): void {
  const waiting = answers.some((answer) => answer.pending);
  // before anything is drawn: between a track's wish and the panel's line there is no moment that
  // looks finished
  useLayoutEffect(() => {
    if (!waiting) return;
    pendingTrackAnswers.value += 1;
    return () => {
      pendingTrackAnswers.value -= 1;
    };
  }, [waiting]);
}
