import { lostExecutions } from '../../domain/lostExecutions';
import { workerLabel } from '../../domain/workers';
import { rowsOf } from '../../engine/table';
import { AxisBar, AxisRows } from '../../plot/AxisRows';
import { count, duration } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { largest } from '../../plot/numbers';
import { useAnswer } from '../../state/useAnswer';
import { useMadeOf } from '../../ui/madeOf';
import { Panel } from '../common/Panel';

/** From the bottom up. */
const kinds = {
  rest: { label: 'other tasks', colour: '--line-2' },
  again: { label: 'the same again', colour: '--accent' },
  lost: { label: 'its result was lost', colour: '--ph-lost' },
} as const;
const kindIds = ['rest', 'again', 'lost'] as const;

/** More rows are read in Timelines. */
const mostOfAKind = 8;
/** What is less apart, of the axis, is one bar. */
const finest = 1 / 400;

/** Tasks whose result was lost, on their workers, and where the same work was done again. */
export function ExecutionsPanel({ title }: { title: string }) {
  const answer = useAnswer('tasks');
  const workers = useAnswer('workers').table;
  const { table } = answer;
  const shown = useMadeOf(table, 'lost', () => {
    if (!table) return undefined;
    const end = largest(table.numbers('t1'));
    return { end, rows: lostExecutions(table, finest * end) };
  });
  const all = shown?.rows ?? [];
  if (table && all.length === 0) return null;
  // who ran what was lost, then who ran it again
  const losers = all.filter(({ lost }) => lost > 0);
  const others = all.filter(({ lost }) => lost === 0);
  const rows = [...losers.slice(0, mostOfAKind), ...others.slice(0, mostOfAKind)];
  const leftAt = new Map(
    rowsOf(workers).map((row) => [row.worker, row.left_early === 1 ? row.last_seen : Number.NaN]),
  );
  return (
    <Panel
      title={title}
      subtitle={
        rows.length < all.length
          ? `${count(rows.length)} of ${count(all.length)} workers concerned`
          : ''
      }
      answer={answer}
      testId="proof"
    >
      {shown ? (
        <>
          <AxisRows
            lo={0}
            hi={shown.end}
            zero={Number.NaN}
            tickText={({ label }, isLast) => (isLast ? `${label}\u2009s` : label)}
            heads={['lost', 'again']}
            label={title}
            testId="proof-rows"
            rows={rows.map(({ worker, lost, again, stretches }) => {
              const left = leftAt.get(worker) ?? Number.NaN;
              return {
                id: worker,
                name: Number.isFinite(left)
                  ? `${workerLabel(workers, worker)}, left at ${duration(left)}`
                  : workerLabel(workers, worker),
                texts: [lost ? count(lost) : '', again ? count(again) : ''],
                marks: (place) =>
                  // of several threads what the finding is about lies on top
                  kindIds
                    .flatMap((id) => stretches.filter(({ kind }) => kind === id))
                    .map(({ from, to, kind }) => (
                      <AxisBar
                        key={`${kind} ${from}`}
                        from={from}
                        to={to}
                        colour={kinds[kind].colour}
                        place={place}
                      />
                    )),
              };
            })}
          />
          <Legend entries={Object.entries(kinds).map(([id, kind]) => ({ id, ...kind }))} />
        </>
      ) : null}
    </Panel>
  );
}
