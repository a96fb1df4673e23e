import { expect, it } from 'vitest';
import { isDecided } from '../../web/domain/prediction';

it('a prediction is one number where its band is narrow and lies on one side of what was measured', () => {
  // a run of 10 s
  expect(isDecided(6, 8, 10)).toBe(true);
  expect(isDecided(11, 14, 10)).toBe(true);
  // up to what was measured: no worse
  expect(isDecided(8, 10, 10)).toBe(true);
  // better or worse
  expect(isDecided(9, 11, 10)).toBe(false);
  // 6 s ± 50 %
  expect(isDecided(3, 9, 10)).toBe(false);
  expect(isDecided(Number.NaN, Number.NaN, 10)).toBe(true);
});
