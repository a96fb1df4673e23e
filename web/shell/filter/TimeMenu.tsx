import { useState } from 'preact/hooks';
import { sentenceCase } from '../../domain/sentenceCase';
import type { Seconds } from '../../engine/engine';
import { rowsOf } from '../../engine/table';
import { duration } from '../../plot/format';
import { selectTime, timeSelection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Button } from '../../ui/Button';

/** A time range by its numbers, or one of the run's phases. */
export function TimeMenu({ elapsed }: { elapsed: Seconds }) {
  const range = timeSelection.value;
  const { table } = useAnswer('phases');
  const [begin, setBegin] = useState(String(Number((range?.[0] ?? 0).toFixed(2))));
  const [end, setEnd] = useState(String(Number((range?.[1] ?? elapsed).toFixed(2))));
  const from = Number(begin);
  const to = Number(end);
  const valid = begin.trim() !== '' && end.trim() !== '' && to > from;
  const apply = (event: Event) => {
    event.preventDefault();
    if (valid) selectTime([from, to]);
  };
  const phases = rowsOf(table);
  return (
    <div class="time-menu">
      <form class="time-form" onSubmit={apply}>
        {(
          [
            ['from', begin, setBegin, 'time-begin'],
            ['to', end, setEnd, 'time-end'],
          ] as const
        ).map(([name, value, set, testId]) => (
          <label key={name}>
            {name}
            <input
              type="text"
              inputMode="decimal"
              value={value}
              onInput={(event) => set(event.currentTarget.value)}
              data-testid={testId}
            />
          </label>
        ))}
        <span>s</span>
        <button type="submit" class="button" disabled={!valid} data-testid="time-apply">
          Select
        </button>
      </form>
      {phases.map(({ phase, t0, t1 }) => (
        <div class="menu-row" key={phase}>
          <Button
            class="menu-item"
            data-testid={`phase-${phase}`}
            onClick={() => {
              selectTime([t0, t1]);
              setBegin(String(Number(t0.toFixed(2))));
              setEnd(String(Number(t1.toFixed(2))));
            }}
          >
            {sentenceCase(phase)} <span class="muted">{duration(t1 - t0)}</span>
          </Button>
        </div>
      ))}
      <p class="menu-item muted">or drag on any time track</p>
    </div>
  );
}
