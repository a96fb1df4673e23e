/** `crema export --to perfetto`: tasks and workers' series as trace events. */
import { describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { crema } from '../support/program';

interface Event {
  ph: string;
  pid: number;
  tid: number;
  name: string;
  ts: number;
  dur: number;
  args: Record<string, string | number>;
}
const eventsOf = (args: readonly string[], input = ''): Event[] =>
  JSON.parse(crema(['export', ...args, '--to', 'perfetto'], input).stdout).traceEvents;

/** A task of one worker as Dask's task stream has it: [action, begin, end] of each of its parts. */
const task = (key: string, worker: string, thread: number, parts: [string, number, number][]) => ({
  key,
  worker,
  thread,
  nbytes: 10,
  status: 'OK',
  startstops: parts.map(([action, start, stop]) => ({ action, start, stop })),
});

describe('a trace for Perfetto', () => {
  it('has tasks on the threads of their workers, one after the other, and transfers beside', () => {
    const stream = [
      task('P-0', 'tcp://a:1', 7, [
        ['transfer', 1000, 1000.25],
        ['compute', 1000.25, 1002],
      ]),
      task('P-1', 'tcp://b:1', 8, [['compute', 1001, 1003]]),
      // begins before the one before it has ended
      task('P-2', 'tcp://a:1', 7, [['compute', 1001.5, 1004]]),
    ];
    const events = eventsOf(['-'], JSON.stringify(stream));
    const names = { ph: 'M', name: 'process_name' };
    const args = { status: 'OK', nbytes: 10 };
    const computed = { ph: 'X', cat: 'compute', name: 'P' };
    const moved = { pid: 1, tid: 1, cat: 'transfer', name: 'transfer: P', id: 0 };
    expect(events).toEqual([
      { ...names, pid: 1, args: { name: 'tcp://a:1' } },
      { ...moved, ph: 'b', ts: 0, args: { ...args, key: 'P-0' } },
      { ...moved, ph: 'e', ts: 250_000 },
      {
        ...computed,
        ...{ pid: 1, tid: 1, ts: 250_000, dur: 1_750_000, args: { ...args, key: 'P-0' } },
      },
      { ...names, pid: 2, args: { name: 'tcp://b:1' } },
      {
        ...computed,
        ...{ pid: 2, tid: 2, ts: 1_000_000, dur: 2_000_000, args: { ...args, key: 'P-1' } },
      },
      {
        ...computed,
        ...{ pid: 1, tid: 1, ts: 2_000_000, dur: 2_000_000, args: { ...args, key: 'P-2' } },
      },
    ]);
  });

  it('has a series as a counter where it changes, with the peak that workers have', () => {
    const recorded = pathOf('local-4x1');
    const { columns } = JSON.parse(crema(['ask', recorded, 'workers', '--json']).stdout);
    const peaks = columns.find((one: { name: string }) => one.name === 'memory_peak').values;
    const memory = eventsOf([recorded]).filter((one) => one.ph === 'C' && one.name === 'memory');
    expect(Math.max(...memory.map((one) => Number(one.args.byte)))).toBe(Math.max(...peaks));
    for (const pid of new Set(memory.map((one) => one.pid))) {
      const values = memory.filter((one) => one.pid === pid).map((one) => one.args.byte);
      expect(values.some((value, at) => at > 0 && value === values[at - 1])).toBe(false);
    }
  });

  it('is of what was selected', () => {
    const all = eventsOf([pathOf('local-4x1')]);
    const some = eventsOf([pathOf('local-4x1'), '--select', '5:10']);
    expect(some.length).toBeLessThan(all.length);
    const counted = some.filter((one) => one.ph === 'C').map((one) => one.ts);
    expect(Math.min(...counted)).toBeGreaterThanOrEqual(5e6);
    expect(Math.max(...counted)).toBeLessThanOrEqual(10e6);
  });

  it('is refused where there is nothing that could be in it', () => {
    const profile = crema(['export', '-', '--to', 'perfetto'], 'a;b 3\na;c 4\n');
    expect(profile.status).toBe(2);
    expect(profile.stderr).toContain('the run has neither tasks nor series of workers');
  });
});
