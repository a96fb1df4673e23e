import { fullSentence } from '../../domain/sentenceCase';
import type { Table } from '../../engine/table';
import { bytes, coreTime, count, percent } from '../../plot/format';
import { activityRows, functionRows } from './fineRows';

export interface ReadingProps {
  /** the answer to `fine` without filter */
  table: Table;
  budget: Table | undefined;
  /** what the last heartbeats can have left out, a sentence */
  late: string;
}

/** The figures in words: what the processor's tasks did, and what the usual misreadings are. */
export function Reading({ table, budget, late }: ReadingProps) {
  const processor = functionRows(table, 'seconds').find((row) => row.isProcessor);
  const of = (activity: string) =>
    processor?.parts.find((part) => part.activity === activity)?.value ?? 0;
  const cpu = of('thread-cpu');
  const waiting = of('thread-noncpu');
  const busy = cpu + waiting;
  const read = activityRows(table, 'bytes', 'execute').find(
    (row) => row.activity === 'memory-read',
  );
  const reads = activityRows(table, 'count', 'execute').find(
    (row) => row.activity === 'memory-read',
  );
  const spilled = activityRows(table, 'seconds', 'execute').some((row) =>
    row.activity.startsWith('disk-'),
  );
  return (
    <div class="reading">
      {busy > 0 ? (
        <p>
          <b>{waiting > cpu ? 'Mostly waiting.' : 'Mostly on the CPU.'}</b> The processor’s threads
          were on a CPU for {percent(cpu / busy)} of their time and waited for{' '}
          {percent(waiting / busy)}: for data, for locks (the GIL among them), or for a CPU, if
          there are more threads than cores.
        </p>
      ) : null}
      <p>
        {spilled ? (
          <>
            <b>Spilled.</b> disk-read and disk-write are Dask moving its own results to and from
            local disk; they are not the reading of input files.
          </>
        ) : (
          <>
            <b>No spill.</b> disk-read and disk-write are absent: Dask moved no results to local
            disk. They would not be the reading of input files in any case.
          </>
        )}
      </p>
      {read ? (
        <p>
          <b>memory-read</b> is the size of task inputs found in memory: {bytes(read.value)}
          {reads ? ` in ${count(reads.value)} reads` : ''}.
        </p>
      ) : null}
      {budget ? <Rest budget={budget} /> : null}
      <p class="muted" data-testid="fine-late">
        Totals of the whole run. {fullSentence(late)}
      </p>
    </div>
  );
}

/** The processor's tasks beside the rest, as the core-time budget has them. */
function Rest({ budget }: { budget: Table }) {
  const part = (id: string): number => {
    const row = budget.rowOf('part', id);
    return row < 0 ? Number.NaN : budget.number('core_seconds', row);
  };
  const inside = part('inside_process');
  const outside = part('outside_process');
  const lost = part('lost_work');
  const others = Array.from({ length: budget.rows }, (_, row) => row).filter((row) =>
    budget.text('part', row)?.startsWith('task:'),
  );
  if (!Number.isFinite(outside)) return null;
  return (
    <p data-testid="fine-rest">
      <b>Processor and rest.</b> {coreTime(inside)} inside process(), {coreTime(outside)} in the
      processor’s tasks around it{lost > 0 ? `, ${coreTime(lost)} lost work` : ''}
      {others.map(
        (row) =>
          `, ${coreTime(budget.number('core_seconds', row))} ${budget.text('label', row) ?? ''}`,
      )}
      .
    </p>
  );
}
