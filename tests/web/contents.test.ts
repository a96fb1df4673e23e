import { describe, expect, it } from 'vitest';
import { contentsOf, isWithin } from '../../web/engine/contents';

const file = (path: string, digest = path.slice(-6), size = 10) => ({ path, digest, size });
const run = contentsOf([file('run/metrics.json', '1'), file('run/profiles/a.json', '2')]);

describe('the contents of a run', () => {
  it('are the same wherever its folder lies, and whether it came in an archive', () => {
    expect(
      contentsOf([
        file('studies/2026/run/metrics.json', '1'),
        file('studies/2026/run/profiles/a.json', '2'),
      ]),
    ).toEqual(run);
    expect(contentsOf([file('metrics.json', '1')])).not.toEqual(
      contentsOf([file('run/metrics.json', '1')]),
    );
  });

  it('hold those of a part of it, and no others', () => {
    expect(isWithin(contentsOf([file('else/run/metrics.json', '1')]), run)).toBe(true);
    expect(isWithin(run, contentsOf([file('run/metrics.json', '1')]))).toBe(false);
    for (const other of [
      file('copy/metrics.json', '1'),
      file('run/metrics.json', '3'),
      file('run/metrics.json', '1', 11),
    ])
      expect(isWithin(contentsOf([other]), run)).toBe(false);
    expect(isWithin([], run)).toBe(false);
  });
});
