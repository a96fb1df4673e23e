import { afterEach, expect, it } from 'vitest';
import type { HistoryRun } from '../../web/domain/runHistory';
import { type OpenRun, openRuns } from '../../web/state/runs';
import { recordedText, runText } from '../../web/views/history/recorded';

afterEach(() => {
  openRuns.value = [];
});

it('runs of one day are told apart by their times', () => {
  const at = Date.UTC(2026, 10, 22, 12, 57) / 1000;
  const runs = ['2026-11-22', '2026-11-22', '2026-11-23'].map(
    (day, run) => ({ title: `run ${run}`, run, day }) as HistoryRun,
  );
  openRuns.value = runs.map(({ run }) => ({ id: run, started_at: at + 60 * run }) as OpenRun);
  expect(runs.map((_, row) => recordedText(runs, row))).toEqual([
    '2026-11-22 12:57',
    '2026-11-22 12:58',
    '2026-11-23',
  ]);
  expect(runText(runs, 1)).toBe('run 1, 2026-11-22 12:58');
  // one that does not say when in the day
  openRuns.value = [];
  expect(recordedText(runs, 0)).toBe('2026-11-22');
});
