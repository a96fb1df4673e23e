/**
 * How long a driver waits for what must come. It always comes, and mostly at once: this ends a test
 * that waits for something else, however busy the machine is.
 */
export const patienceMilliseconds = 120_000;

/**
 * For the page: its address. The page writes it 300 ms after a change at the latest
 * (followAddress.ts); its timers fire in the order in which they are due, however late.
 */
export const laterAddress = 'new Promise((done) => setTimeout(() => done(location.href), 350))';

/**
 * Asks again and again until the answer is not undefined. `what` says in the error what did not
 * come.
 */
export async function eventually<T>(
  ask: () => Promise<T | undefined>,
  what: () => string,
): Promise<T> {
  const deadline = performance.now() + patienceMilliseconds;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(what());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Reads again and again until the text holds `expected`. */
export async function eventuallyHolds(
  target: string,
  readText: () => Promise<string | undefined>,
  expected: RegExp | string,
): Promise<string> {
  let last: string | undefined;
  const holds = (text: string) =>
    typeof expected === 'string' ? text.includes(expected) : expected.test(text);
  return eventually(
    async () => {
      last = await readText();
      return last !== undefined && holds(last) ? last : undefined;
    },
    () =>
      last === undefined ? `${target} is not there` : `${target} reads "${last}", not ${expected}`,
  );
}
