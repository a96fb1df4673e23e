import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../../state/answers';

/** How many answers the tracks wait for: the panel shows its thin line meanwhile. */
export const awaited = signal(0);

/** Counts the answers a track waits for. */
export function useTrackAnswers(...answers: readonly Answer[]): void {
  const waiting = answers.some((answer) => answer.pending);
  useEffect(() => {
    if (!waiting) return;
    awaited.value += 1;
    return () => {
      awaited.value -= 1;
    };
  }, [waiting]);
}
