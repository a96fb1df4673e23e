import { bytes, count, percent } from '../../charts/format';
import type { Table } from '../../engine/table';
import { activityRows, functionRows } from './fineRows';

/** The figures in words: what the processor's tasks did, and what the usual misreadings are. */
export function Reading({ table }: { table: Table }) {
  const processor = functionRows(table, 'seconds').find((row) => row.isProcessor);
  const of = (activity: string) => processor?.parts.find((part) => part.activity === activity)?.value ?? 0;
  const cpu = of('thread-cpu');
  const waiting = of('thread-noncpu');
  const busy = cpu + waiting;
  const read = activityRows(table, 'bytes', 'execute').find((row) => row.activity === 'memory-read');
  const reads = activityRows(table, 'count', 'execute').find((row) => row.activity === 'memory-read');
  const spilled = activityRows(table, 'seconds', 'execute').some((row) => row.activity.startsWith('disk-'));
  return (
    <div class="reading">
      {busy > 0 ? (
        <p>
          <b>{waiting > cpu ? 'Mostly waiting.' : 'Mostly on the CPU.'}</b> The processor’s threads were on a CPU for{' '}
          {percent(cpu / busy)} of their time and waited for {percent(waiting / busy)}: for data, for locks (the GIL
          among them), or for a CPU, if there are more threads than cores.
        </p>
      ) : null}
      <p>
        {spilled ? (
          <>
            <b>Spilled.</b> disk-read and disk-write are Dask moving its own results to and from local disk; they are
            not the reading of input files.
          </>
        ) : (
          <>
            <b>No spill.</b> disk-read and disk-write are absent: Dask moved no results to local disk. They would not be
            the reading of input files in any case.
          </>
        )}
      </p>
      {read ? (
        <p>
          <b>memory-read</b> is the size of task inputs found in memory: {bytes(read.value)}
          {reads ? ` in ${count(reads.value)} reads` : ''}.
        </p>
      ) : null}
      <p class="muted">
        Totals of the whole run, read shortly after its end: what a worker reports later than that can be missing and
        then looks idle.
      </p>
    </div>
  );
}
