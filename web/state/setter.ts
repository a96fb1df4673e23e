import type { Signal } from '@preact/signals';

/** Puts what is chosen into a signal. */
export const setter =
  <T>(signal: Signal<T>) =>
  (chosen: T): void => {
    signal.value = chosen;
  };

/** Puts a value into a signal when it is called. */
export const put =
  <T>(signal: Signal<T>, value: T) =>
  (): void => {
    signal.value = value;
  };
