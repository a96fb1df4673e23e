import { expect, test } from 'vitest';
import { quantityOf, quantityTitle } from '../../web/domain/columns';

test('what was measured of a task has words and a unit on an axis', () => {
  expect(quantityTitle(quantityOf('task:system'))).toBe('CPU time in the operating system (s)');
  expect(quantityTitle(quantityOf('task:open_wall'))).toBe('opening of the file (s)');
  expect(quantityTitle(quantityOf('task:read_cpu'))).toBe('reading of columns: CPU time (s)');
  expect(quantityTitle(quantityOf('task:call'))).toBe('call of the runner');
  expect(quantityOf('task:rss_peak').factor * 2 ** 20).toBe(1);
});

test('a column that nobody knows keeps its name', () => {
  expect(quantityOf('task:quux').label).toBe('task:quux');
  expect(quantityOf('custom.weight').label).toBe('weight');
});
