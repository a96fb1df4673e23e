import type { Signal } from '@preact/signals';

/** Puts what is chosen into a signal. */
export const setter =
  <T>(signal: Signal<T>) =>
  (chosen: T): void => {
    signal.value = chosen;
  };
