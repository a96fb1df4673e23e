import { factOf, factText } from '../../domain/facts';
import { fullSentence } from '../../domain/sentenceCase';
import { noteNumber, rowsOf, type Table } from '../../engine/table';
import { bytes, coreTime, count } from '../../plot/format';

export interface ReadingProps {
  /** the answer to `fine` without filter */
  table: Table<'fine'>;
  summary: Table<'summary'> | undefined;
  budget: Table<'budget'> | undefined;
  /** what the last heartbeats can have left out, a sentence */
  late: string;
}

/** The figures in words: what the processor's tasks did, and what the usual misreadings are. */
export function Reading({ table, summary, budget, late }: ReadingProps) {
  const cpu = summary && factOf(summary, 'processor_cpu_percent');
  const waiting = summary && factOf(summary, 'processor_io_wait_percent');
  const read = noteNumber(table, 'memory_read_bytes');
  const reads = noteNumber(table, 'memory_reads');
  const spilled = rowsOf(table).some(
    ({ context, unit, activity }) =>
      context === 'execute' && unit === 'seconds' && activity.startsWith('disk-'),
  );
  return (
    <div class="reading">
      {cpu && waiting && Number.isFinite(cpu.value) ? (
        <p>
          <b>{waiting.value > cpu.value ? 'Mostly waiting.' : 'Mostly on the CPU.'}</b> The
          processor’s threads were on a CPU for {factText(cpu)} of their time and waited for{' '}
          {factText(waiting)}: for data, for locks (the GIL among them), or for a CPU, if there are
          more threads than cores.
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
      {Number.isFinite(read) ? (
        <p>
          <b>memory-read</b> is the size of task inputs found in memory: {bytes(read)}
          {Number.isFinite(reads) ? ` in ${count(reads)} reads` : ''}.
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
function Rest({ budget }: { budget: Table<'budget'> }) {
  const rows = rowsOf(budget);
  const part = (id: string) => rows.find((row) => row.part === id)?.core_seconds ?? Number.NaN;
  const inside = part('inside_process');
  const outside = part('outside_process');
  const lost = part('lost_work');
  const others = rows.filter((row) => row.part.startsWith('task:'));
  if (!Number.isFinite(outside)) return null;
  return (
    <p data-testid="fine-rest">
      <b>Processor and rest.</b> {coreTime(inside)} inside process(), {coreTime(outside)} in the
      processor’s tasks around it{lost > 0 ? `, ${coreTime(lost)} lost work` : ''}
      {others.map((row) => `, ${coreTime(row.core_seconds)} ${row.label}`)}.
    </p>
  );
}
