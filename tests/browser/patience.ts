/** How long a driver waits for what must come: an engine that draws without a graphics card on a busy machine needs some. */
export const patienceMilliseconds = 20_000;

/** And for a file to be saved: a report packs all of a run first. */
export const savingMilliseconds = 60_000;

/** Asks again and again until the answer is not undefined. `what` says in the error what did not come. */
export async function eventually<T>(
  ask: () => Promise<T | undefined>,
  what: () => string,
  milliseconds = patienceMilliseconds,
): Promise<T> {
  const deadline = performance.now() + milliseconds;
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
  const holds = (text: string) => (typeof expected === 'string' ? text.includes(expected) : expected.test(text));
  return eventually(
    async () => {
      last = await readText();
      return last !== undefined && holds(last) ? last : undefined;
    },
    () => (last === undefined ? `${target} is not there` : `${target} reads "${last}", not ${expected}`),
  );
}
