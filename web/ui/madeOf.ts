import { useMemo } from 'preact/hooks';

const kept = new WeakMap<object, Map<string, { inputs: readonly unknown[]; made: unknown }>>();

/**
 * What is made of an answer, or of a table's columns, and of `inputs`, as `useMemo` does it; but
 * kept with the answer, so that a view to which one returns need not make it again. `name` tells
 * apart what is made of one answer.
 */
export function useMadeOf<T>(
  answer: object | undefined,
  name: string,
  make: () => T,
  inputs: readonly unknown[] = [],
): T {
  return useMemo(() => {
    if (!answer) return make();
    const ofAnswer = kept.get(answer) ?? new Map();
    kept.set(answer, ofAnswer);
    const before = ofAnswer.get(name);
    if (before?.inputs.every((input: unknown, place: number) => Object.is(input, inputs[place])))
      return before.made;
    const made = make();
    ofAnswer.set(name, { inputs, made });
    return made;
  }, [answer, ...inputs]);
}
