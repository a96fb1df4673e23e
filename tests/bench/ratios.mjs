// Whether what is measured in turn differs: medians of paired ratios, with an interval by which
// chance is told from change, against the noise of the machine.
import { randomOf } from './random.mjs';

const resamples = 2000;
const confidence = 0.95;

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/**
 * The median of `ratios` and, by drawing anew from them (bootstrap), where it lies with 95 %
 * confidence: {ratio, low, high}.
 */
export function ratioOf(ratios, seed = 1) {
  const random = randomOf(seed);
  const medians = Array.from({ length: resamples }, () =>
    median(ratios.map(() => ratios[Math.floor(random() * ratios.length)])),
  ).toSorted((a, b) => a - b);
  const at = (share) => medians[Math.round(share * (resamples - 1))];
  const tail = (1 - confidence) / 2;
  return { ratio: median(ratios), low: at(tail), high: at(1 - tail) };
}

/**
 * From rounds of {before, again, now}, of which `before` and `again` are the same measured twice:
 * how `now` compares, what the machine makes of no change at all, and whether the one is outside
 * the other: 'slower', 'faster' or ''.
 */
export function compareRounds(rounds) {
  const change = ratioOf(rounds.map(({ before, again, now }) => now / Math.sqrt(before * again)));
  const floor = ratioOf(rounds.map(({ before, again }) => again / before));
  const most = Math.max(floor.high, 1 / floor.low);
  const moved = change.low > most ? 'slower' : change.high < 1 / most ? 'faster' : '';
  return { change, floor, moved };
}
