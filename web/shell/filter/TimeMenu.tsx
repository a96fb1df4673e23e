import { useState } from 'preact/hooks';
import { sentenceCase } from '../../domain/sentenceCase';
import type { Seconds } from '../../engine/engine';
import { duration } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selectTime, timeSelection } from '../../state/selection';

/** A time range by its numbers, or one of the run's phases. */
export function TimeMenu({ elapsed }: { elapsed: Seconds }) {
  const range = timeSelection.value;
  const { table } = useAnswer(activeRunId.value, 'phases');
  const [begin, setBegin] = useState(String(Number((range?.[0] ?? 0).toFixed(2))));
  const [end, setEnd] = useState(String(Number((range?.[1] ?? elapsed).toFixed(2))));
  const from = Number(begin);
  const to = Number(end);
  const valid = begin.trim() !== '' && end.trim() !== '' && to > from;
  const apply = (event: Event) => {
    event.preventDefault();
    if (valid) selectTime([from, to]);
  };
  const phases = Array.from({ length: table?.rows ?? 0 }, (_, row) => ({
    name: table?.text('phase', row) ?? '',
    range: [table?.number('t0', row) ?? 0, table?.number('t1', row) ?? 0] as const,
  }));
  return (
    <div class="time-menu">
      <form class="time-form" onSubmit={apply}>
        <label>
          from
          <input
            type="text"
            inputMode="decimal"
            value={begin}
            onInput={(event) => setBegin(event.currentTarget.value)}
            data-testid="time-begin"
          />
        </label>
        <label>
          to
          <input
            type="text"
            inputMode="decimal"
            value={end}
            onInput={(event) => setEnd(event.currentTarget.value)}
            data-testid="time-end"
          />
        </label>
        <span>s</span>
        <button type="submit" class="button" disabled={!valid} data-testid="time-apply">
          Select
        </button>
      </form>
      {phases.map((phase) => (
        <div class="menu-row" key={phase.name}>
          <button
            type="button"
            class="menu-item"
            data-testid={`phase-${phase.name}`}
            onClick={() => {
              selectTime(phase.range);
              setBegin(String(Number(phase.range[0].toFixed(2))));
              setEnd(String(Number(phase.range[1].toFixed(2))));
            }}
          >
            {sentenceCase(phase.name)}{' '}
            <span class="muted">{duration(phase.range[1] - phase.range[0])}</span>
          </button>
        </div>
      ))}
      <p class="menu-item muted">or drag on any time track</p>
    </div>
  );
}
