import { useMemo } from 'preact/hooks';
import { phaseShade, phasesText, steadyText } from '../../domain/phases';
import { rowsOf } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { rateScale } from '../../plot/format';
import { largest, map } from '../../plot/numbers';
import { roundedUp } from '../../plot/scales';
import { heldSamples, intervals } from '../../plot/steps';
import { createTimeAxis } from '../../plot/timeAxis';
import { useAnswer } from '../../state/answers';
import { embedded } from '../../state/embed';
import { activeRun, activeRunId } from '../../state/runs';
import { selection, timeSelection, untimedSelection } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { type CoresCourse, CoresPlot } from './CoresPlot';

/**
 * As many as the timelines ask for: one answer serves both, and the plot keeps the extremes of each
 * pixel.
 */
const bins = 1200;

/** The run's course in small: data rate over cores in process(). */
export function CoresPanel() {
  const run = activeRun.value;
  const throughput = useAnswer(activeRunId.value, 'throughput', untimedSelection.value, { bins });
  const timeline = useAnswer(activeRunId.value, 'timeline', untimedSelection.value);
  const phases = useAnswer(activeRunId.value, 'phases');
  const course = useMemo(() => rowsOf(phases.table), [phases.table]);
  const within = rowsOf(useAnswer(activeRunId.value, 'phases', selection.value).table);
  const { workers, datasets, files, hosts, ranges } = selection.value;
  const someChunks = Boolean(datasets || files || hosts || ranges);
  // between chunks of one kind and the cores of all, or of some, lies no idling
  const comparable = !workers && !someChunks;
  const coresCaption = comparable
    ? 'cores: in process() (solid) of available (line), idle hatched'
    : `cores: in process() ${someChunks ? 'for the selection' : 'of all workers'} (solid), available${workers ? ' of the selected' : ''} (line)`;
  const shown = useMemo((): CoresCourse | undefined => {
    const rates = throughput.table;
    const ticks = timeline.table;
    if (!rates || rates.rows === 0) return undefined;
    const t0 = rates.numbers('t0');
    const t1 = rates.numbers('t1');
    const begin = t0[0] ?? 0;
    const end = t1[t1.length - 1] ?? 1;
    const bits = map(rates.numbers('bytes_per_second'), (value) => value * 8);
    const scale = rateScale(largest(bits), 'bps');
    const hasBytes = bits.some(Number.isFinite);
    const rate = intervals(
      t0,
      t1,
      hasBytes
        ? map(bits, (value) => value / scale.divisor)
        : map(rates.numbers('events_per_second'), (value) => value / 1000),
    );
    const running = intervals(t0, t1, rates.numbers('chunks_running'));
    const cores =
      ticks && ticks.rows > 0
        ? heldSamples(ticks.numbers('t'), ticks.numbers('cores'), end)
        : undefined;
    const coresTop = roundedUp(
      Math.max(largest(running.values), cores ? largest(cores.values) : 0),
      2,
    );
    const shade = phaseShade(course);
    const rateLayers: Layer[] = [
      shade,
      { kind: 'area', steps: rate, colour: '--ph-process', opacity: 0.18 },
      { kind: 'line', steps: rate, colour: '--ph-process', width: 1.25 },
    ];
    const coreLayers: Layer[] = [
      shade,
      ...(cores && comparable
        ? [{ kind: 'hatch', steps: cores, ground: '--ph-idle', ink: '--ph-idle-ink' } as const]
        : []),
      { kind: 'area', steps: running, colour: '--ph-process' },
      ...(cores ? [{ kind: 'line', steps: cores, colour: '--text', width: 1.25 } as const] : []),
    ];
    return {
      axis: createTimeAxis(begin, end),
      hasBytes,
      hasCores: cores !== undefined,
      unit: scale.unit,
      coresTop,
      rateLayers,
      coreLayers,
      peak: largest(rate.values),
    };
  }, [throughput.table, timeline.table, course, comparable]);
  return (
    <Panel
      title="Throughput and cores"
      subtitle={
        noteText(throughput, 'selection') ||
        noteText(timeline, 'selection') ||
        (embedded.value || !shown ? (
          ''
        ) : (
          <span title={phasesText(within, timeSelection.value !== undefined)}>
            {steadyText(within, timeSelection.value !== undefined)}
          </span>
        ))
      }
      answers={[throughput, timeline]}
      twin={throughput.table}
      testId="cores"
      className="span-12 half"
    >
      {shown && run ? (
        <CoresPlot course={shown} coresCaption={coresCaption} />
      ) : (
        <p class="missing">{noteText(throughput, 'missing') || '\u00a0'}</p>
      )}
    </Panel>
  );
}
