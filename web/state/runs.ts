import { batch, computed, signal } from '@preact/signals';
import type { Bytes, Doubt, RunId, Seconds } from '../engine/engine';
import type { Table } from '../engine/table';
import { forgetAnswers } from './answers';
import { engine } from './engine';
import { timeSelection } from './selection';

/** What the page knows of an open run without asking again. */
export interface OpenRun {
  id: RunId;
  title: string;
  schema: string;
  /** epoch; NaN when unknown */
  startedAt: Seconds;
  /** the same by the scheduler's clock, as if that were UTC; NaN when unknown */
  startedNaive: Seconds;
  /** of the scheduler's clock from UTC; NaN when unknown */
  zoneOffset: Seconds;
  /** how the clocks of scheduler and workers were joined, a sentence */
  clockBasis: string;
  elapsed: Seconds;
  /** of its files */
  bytes: Bytes;
  /** that its opening took */
  readSeconds: Seconds;
  /** about files of the same opening that belong to no run */
  strayDoubts: Doubt[];
}

export const openRuns = signal<OpenRun[]>([]);
export const activeRunId = signal<RunId | undefined>(undefined);
export const activeRun = computed(() => openRuns.value.find((run) => run.id === activeRunId.value));

export function showRun(id: RunId): void {
  if (id === activeRunId.value) return;
  batch(() => {
    activeRunId.value = id;
    // seconds of one run mean nothing in another
    timeSelection.value = undefined;
  });
}

export async function closeRun(id: RunId): Promise<void> {
  const rest = openRuns.value.filter((run) => run.id !== id);
  batch(() => {
    openRuns.value = rest;
    if (activeRunId.value === id) {
      activeRunId.value = rest[rest.length - 1]?.id;
      timeSelection.value = undefined;
    }
  });
  forgetAnswers(id);
  await engine().close(id);
}

/** One entry per row of the `runs` question, asked for `ids` in this order. */
export function runsOfTable(
  table: Table,
  ids: readonly RunId[],
  opening: Pick<OpenRun, 'readSeconds' | 'strayDoubts'>,
): OpenRun[] {
  const number = (name: string, row: number) => (table.has(name) ? table.number(name, row) : Number.NaN);
  const text = (name: string, row: number) => (table.has(name) ? (table.text(name, row) ?? '') : '');
  return ids.map((id, row) => ({
    id,
    title: text('title', row) || `run ${id + 1}`,
    schema: text('schema', row),
    startedAt: number('started_at', row),
    startedNaive: number('started_naive', row),
    zoneOffset: number('time_zone_offset', row),
    clockBasis: text('clock_basis', row),
    elapsed: number('elapsed', row),
    bytes: number('bytes', row),
    ...opening,
  }));
}
