import type { Row, Table } from '../../engine/table';
import { fixed, withUnit } from '../../plot/format';
import { largest } from '../../plot/numbers';
import { tooltipOn } from '../../ui/tooltip';

export interface LifeProps {
  worker: Row<'workers'>;
  /** all of them: one axis for all lives */
  whole: readonly Row<'workers'>[];
  tasks: Table<'tasks'> | undefined;
}

/** From when to when a worker was there, as a bar on the run. */
export function Life({ worker, whole, tasks }: LifeProps) {
  const { first_seen: from, last_seen: until, left_early: left } = worker;
  if (!Number.isFinite(from)) return <span class="missing">not tracked</span>;
  const end = Math.max(
    largest(whole.map(({ last_seen }) => last_seen)),
    tasks && tasks.rows > 0 ? largest(tasks.numbers('t1')) : 0,
  );
  const place = (moment: number) => `${(100 * moment) / end}%`;
  const begin = withUnit(fixed(from, 1), 's');
  const text =
    left === 1 ? withUnit(`${fixed(from, 1)}–${fixed(until, 1)}`, 's') : `${begin} to the end`;
  return (
    <span class="life" {...tooltipOn(() => text)}>
      <span class="life-lane">
        <i style={{ left: place(from), width: place(until - from) }} />
        {left === 1 ? <b style={{ left: place(until) }}>✕</b> : null}
      </span>
      <span class="muted">{text}</span>
    </span>
  );
}
