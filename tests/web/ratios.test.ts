/** What tells change from chance where speeds are compared (npm run bench -- --against). */
import { expect, it } from 'vitest';
import { compareRounds, ratioOf } from '../bench/ratios.mjs';

/** Fifteen rounds of `before` seconds, each off by up to a hundredth in a way of its own. */
const rounds = (now: number) =>
  Array.from({ length: 15 }, (_, round) => ({
    before: 1 + ((round * 7) % 15) / 1500,
    again: 1 + ((round * 4) % 15) / 1500,
    now: now + ((round * 11) % 15) / 1500,
  }));

it('tells a twentieth more or less from the noise of a hundredth, and calls no change none', () => {
  expect(compareRounds(rounds(1)).moved).toBe('');
  expect(compareRounds(rounds(1.05)).moved).toBe('slower');
  expect(compareRounds(rounds(0.95)).moved).toBe('faster');
});

it('gives the median, within its interval', () => {
  expect(ratioOf([1, 1, 1])).toEqual({ ratio: 1, low: 1, high: 1 });
  const { ratio, low, high } = ratioOf([0.9, 1, 1.1, 1.2, 2]);
  expect(ratio).toBe(1.1);
  expect(low).toBeLessThan(ratio);
  expect(high).toBeGreaterThan(ratio);
});

it('sees no change where the machine alone makes more', () => {
  const noisy = rounds(1.05).map((one, round) => ({ ...one, again: round % 2 ? 1.2 : 0.85 }));
  expect(compareRounds(noisy).moved).toBe('');
});
