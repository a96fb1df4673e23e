import { describe, expect, it } from 'vitest';
import { hostLegend } from '../../web/domain/stack';

describe('the legend of hosts', () => {
  const labels = (names: string[]) => hostLegend(names).map(({ label }) => label);
  const colours = (names: string[]) => new Set(hostLegend(names).map(({ colour }) => colour));

  it('names as many as have a colour of their own, and one that is grey', () => {
    expect(labels(['a', 'b', '', 'd', 'e', 'f'])).toEqual([
      'a',
      'b',
      'not recorded',
      'd',
      'e',
      'f',
    ]);
    expect(colours(['a', 'b', 'c', 'd', 'e', 'f']).size).toBe(6);
  });

  it('says others where several are grey', () => {
    expect(labels(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'others',
    ]);
    expect(colours(['a', 'b', 'c', 'd', 'e', 'f', 'g']).size).toBe(6);
  });
});
