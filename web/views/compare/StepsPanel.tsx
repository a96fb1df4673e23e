import { useMemo } from 'preact/hooks';
import { phaseLook } from '../../domain/budget';
import { coreTimes } from '../../domain/coreTime';
import { type Row, rowsOf } from '../../engine/table';
import { coreTime, coreTimeScale, signed, significant } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import { axisTicks } from '../../plot/scales';
import { useAnswerOf } from '../../state/answers';
import { type Pair, runsOf, sidesOption } from '../../state/pair';
import { selection } from '../../state/selection';
import { tooltipOn } from '../../ui/tooltip';
import { noteText, Panel } from '../common/Panel';

type Step = Row<'compare_steps'>;

/** From A to B: own functions, then the rest; the steps add up to the change. */
export function StepsPanel({ pair }: { pair: Pair }) {
  const answer = useAnswerOf(runsOf(pair), 'compare_steps', selection.value, sidesOption(pair));
  const { table } = answer;
  const steps = useMemo(() => rowsOf(table), [table]);
  const from = Number(table?.notes.a);
  const to = Number(table?.notes.b);
  return (
    <Panel
      title="From A to B"
      subtitle="your functions inside process(), then the rest: the steps add up"
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
  const ticks = axisTicks(0, top / scale.divisor, 3);
  const place = (coreSeconds: number) => `${(100 * coreSeconds) / top}%`;
  return (
    <div
      class="diverging-rows steps-rows"
      role="img"
      aria-label={`From ${coreTimes(from, to).join(' to ')}`}
    >
      <span class="head" />
      <span class="head diverging-axis">
        {ticks.map((tick) => (
          <span key={tick.value} style={{ left: place(tick.value * scale.divisor) }}>
            {tick.label}
          </span>
        ))}
      </span>
      <span class="head value">{scale.unit}</span>
      <span class="head value">B / A</span>
      <Whole name="A" parts={steps.map((step) => ({ step, core_seconds: step.a }))} place={place} />
      <span class="value">{significant(from / scale.divisor)}</span>
      <span class="value" />
      {steps.map((step) => (
        <StepRow
          key={`${step.kind} ${step.label}`}
          step={step}
          place={place}
          unit={scale.divisor}
        />
      ))}
      <Whole name="B" parts={steps.map((step) => ({ step, core_seconds: step.b }))} place={place} />
      <span class="value">{significant(to / scale.divisor)}</span>
      <span class="value">{ratioText(to / from)}</span>
    </div>
  );
}

interface StepRowProps {
  step: Step;
  place: (coreSeconds: number) => string;
  /** [core-s] */
  unit: number;
}

function StepRow({ step, place, unit }: StepRowProps) {
  const { label, a, b, delta, begin, end } = step;
  // of sums that are equal the order of adding leaves a rest
  const change = Number((delta / unit).toFixed(6));
  return (
    <>
      <span class="name" data-testid="step-name">
        {label}
      </span>
      <span class="bar-cell" {...tooltipOn(() => `${label}: ${coreTimes(a, b).join(' → ')}`)}>
        <span
          class="diverging-bar"
          style={{
            left: place(Math.min(begin, end)),
            width: `max(1px, ${place(Math.abs(delta))})`,
            background: cssColour(delta > 0 ? '--div-more' : '--div-less'),
          }}
        />
      </span>
      <span class="value" data-testid="step-change">
        {signed(significant(change), change)}
      </span>
      <span class="value muted">{ratioText(step.ratio)}</span>
    </>
  );
}

interface WholeProps {
  name: string;
  parts: readonly { step: Step; core_seconds: number }[];
  place: (coreSeconds: number) => string;
}

/** All of a side in the colours of its phases, parts of process() as one. */
function Whole({ name, parts, place }: WholeProps) {
  return (
    <>
      <b class="name">{name}</b>
      <span class="bar-cell steps-whole">
        {parts.map(({ step, core_seconds }) => {
          const look = phaseLook(phases.has(step.kind) ? step.kind : 'inside_process');
          return (
            <i
              key={`${step.kind} ${step.label}`}
              class={look.texture === 'hatched' ? 'hatched' : ''}
              style={{
                width: place(core_seconds),
                ...(look.texture === 'hatched' ? {} : { background: cssColour(look.colour) }),
              }}
              {...tooltipOn(() => `${step.label}: ${coreTime(core_seconds)}`)}
            />
          );
        })}
      </span>
    </>
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

const ratioText = (ratio: number): string =>
  !Number.isFinite(ratio) || ratio <= 0
    ? ''
    : ratio >= 10
      ? `× ${significant(ratio, 2)}`
      : `× ${significant(ratio)}`;
