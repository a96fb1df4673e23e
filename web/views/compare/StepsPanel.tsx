import { useMemo } from 'preact/hooks';
import { phaseLook } from '../../domain/budget';
import { coreTimes } from '../../domain/coreTime';
import { type Row, rowsOf } from '../../engine/table';
import { AxisBar, type AxisRow, AxisRows } from '../../plot/AxisRows';
import { coreTime, coreTimeScale, signed, significant } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import { type Pair, runsOf, sidesOption } from '../../state/pair';
import { selection } from '../../state/selection';
import { useAnswerOf } from '../../state/useAnswer';
import { tooltipOn } from '../../ui/tooltip';
import { noteText, Panel } from '../common/Panel';
import { ratioText } from './changes';

type Step = Row<'compare_steps'>;

/** From A to B: sections or own functions, then the rest; the steps add up to the change. */
export function StepsPanel({ pair }: { pair: Pair }) {
  const sides = sidesOption(pair);
  const verdict = rowsOf(useAnswerOf(runsOf(pair), 'verdict', selection.value, sides).table);
  // by what the sentence above names
  const [named] = verdict
    .filter(({ kind }) => kind === 'section' || kind === 'own function')
    .sort((x, y) => Math.abs(y.seconds) - Math.abs(x.seconds));
  const bySection = named?.kind === 'section';
  const answer = useAnswerOf(runsOf(pair), 'compare_steps', selection.value, {
    ...sides,
    ...(bySection ? { by: 'sections' as const } : {}),
  });
  const { table } = answer;
  const steps = useMemo(() => rowsOf(table), [table]);
  const from = Number(table?.notes.a);
  const to = Number(table?.notes.b);
  return (
    <Panel
      title="From A to B"
      subtitle={`${bySection ? 'sections of' : 'your functions inside'} process(), then the rest: the steps add up`}
      answer={answer}
      name="steps"
      testId="steps"
    >
      {steps.length > 0 ? (
        <Waterfall steps={steps} from={from} to={to} />
      ) : (
        <p class="missing">
          {table ? noteText(answer, 'missing') || 'Neither run has chunks or cores.' : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}

interface WaterfallProps {
  steps: readonly Step[];
  from: number;
  to: number;
}

function Waterfall({ steps, from, to }: WaterfallProps) {
  const top = Math.max(from, to, ...steps.flatMap(({ begin, end }) => [begin, end]));
  const scale = coreTimeScale(top);
  const { divisor, unit } = scale;
  const whole = (id: 'a' | 'b', texts: readonly string[]): AxisRow => ({
    id,
    name: <b>{id.toUpperCase()}</b>,
    className: 'steps-whole',
    marks: (place) =>
      steps.map((step) => partOf(step, coreTime(step[id], scale), place(step[id] / divisor))),
    texts,
  });
  return (
    <AxisRows
      rows={[
        whole('a', [significant(from / divisor)]),
        ...steps.map((step) => rowOf(step, divisor)),
        whole('b', [significant(to / divisor), ratioText(to / from)]),
      ]}
      lo={0}
      hi={top / divisor}
      heads={[unit, 'B / A']}
      label={`From ${coreTimes(from, to).join(' to ')}`}
    />
  );
}

function rowOf(step: Step, divisor: number): AxisRow {
  const { kind, label, a, b, delta, begin, end, ratio } = step;
  // of sums that are equal the order of adding leaves a rest
  const change = Number((delta / divisor).toFixed(6));
  return {
    id: `${kind} ${label}`,
    name: label,
    nameId: 'step-name',
    marks: (place) => (
      <AxisBar
        from={begin / divisor}
        to={end / divisor}
        colour={delta > 0 ? '--div-more' : '--div-less'}
        place={place}
      />
    ),
    texts: [signed(significant(change), change), ratioText(ratio)],
    textId: 'step-change',
    tooltip: () => `${label}: ${coreTimes(a, b).join(' → ')}`,
  };
}

/** A part of a side in the colour of its phase, parts of process() as one. */
function partOf({ kind, label }: Step, amount: string, percents: number) {
  const look = phaseLook(phases.has(kind) ? kind : 'inside_process');
  const isHatched = look.texture === 'hatched';
  return (
    <i
      key={`${kind} ${label}`}
      class={isHatched ? 'hatched' : ''}
      style={{
        width: `${percents}%`,
        ...(isHatched ? {} : { background: cssColour(look.colour) }),
      }}
      {...tooltipOn(() => `${label}: ${amount}`)}
    />
  );
}

/** Kinds of steps beside process(). */
const phases = new Set([
  'outside_process',
  'lost_work',
  'processor_tasks',
  'other_tasks',
  'idle',
  'not_in_process',
]);
