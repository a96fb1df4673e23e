import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { duration } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { at, largest, map } from '../../plot/numbers';
import { roundedUp } from '../../plot/scales';
import { heldSamples } from '../../plot/steps';
import { MiniTrack } from '../../plot/Track';
import { createTimeAxis } from '../../plot/timeAxis';
import { timeSelection, workerSelection } from '../../state/selection';
import { brushTime } from '../../state/undo';
import { useAnswer } from '../../state/useAnswer';
import { noteText, Panel } from '../common/Panel';

const height = 150;

const legend = [
  { id: 'cpu', label: 'on a CPU', colour: '--act-cpu' },
  { id: 'waiting', label: 'waiting in tasks', colour: '--act-wait' },
  { id: 'idle', label: 'no task at the heartbeat', colour: '--ph-idle', hatched: true },
];

/** How many cores computed, waited and were idle, from heartbeat to heartbeat. */
export function OverRunPanel() {
  const answer = useAnswer('timeline', workerSelection.value);
  const { table } = answer;
  const known = table && table.rows > 1 ? table : undefined;
  const shown = useMemo(() => known && layersOf(known), [known]);
  return (
    <Panel
      title="Over the run"
      subtitle={shown ? `from workers’ heartbeats, every ${duration(shown.every)}` : ''}
      answer={answer}
      testId="fine-over-run"
    >
      {shown ? (
        <>
          <MiniTrack
            over={shown.over}
            caption="cores; line: available"
            unit="s"
            brush={{ axis: shown.axis, selected: timeSelection.value, onSelect: brushTime }}
            layers={shown.layers}
            top={shown.top}
            height={height}
            label={`Cores over ${duration(shown.over[1])}: ${legend.map(({ label }) => label).join(', ')}`}
          />
          <Legend entries={legend} />
        </>
      ) : (
        <p class="missing">{table ? noteText(answer, 'missing') || 'Not recorded.' : '\u00a0'}</p>
      )}
    </Panel>
  );
}

function layersOf(table: Table<'timeline'>) {
  const times = table.numbers('t');
  const begin = at(times, 0);
  const end = at(times, table.rows - 1);
  const cores = table.numbers('cores');
  const onCpu = map(table.numbers('cpu_mean'), (share, tick) => share * at(cores, tick));
  const inTasks = map(table.numbers('executing_tasks'), (tasks, tick) =>
    Math.max(Math.min(tasks, at(cores, tick)), at(onCpu, tick)),
  );
  const steps = (values: ArrayLike<number>) => heldSamples(times, values, end);
  const layers: Layer[] = [
    { kind: 'hatch', steps: steps(cores), ground: '--ph-idle', ink: '--ph-idle-ink' },
    { kind: 'area', steps: steps(inTasks), colour: '--act-wait' },
    { kind: 'area', steps: steps(onCpu), colour: '--act-cpu' },
    { kind: 'line', steps: steps(cores), colour: '--text', width: 1.25 },
  ];
  return {
    layers,
    over: [begin, end] as const,
    axis: createTimeAxis(begin, end),
    top: roundedUp(largest(cores)),
    every: (end - begin) / (table.rows - 1),
  };
}
