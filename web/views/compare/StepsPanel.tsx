import { useMemo } from 'preact/hooks';
import { phaseLook } from '../../domain/budget';
import { type Row, rowsOf } from '../../engine/table';
import { AxisBar, type AxisRow, AxisRows, type Place } from '../../plot/AxisRows';
import { coreTimeScale, signed, significant } from '../../plot/format';
import { cssColour } from '../../plot/palette';
import {
  changeBy,
  type DimensionOfChange,
  dimensionsOfChange,
  type Pair,
  per,
  runsOf,
  sidesOption,
} from '../../state/pair';
import { selection } from '../../state/selection';
import { type Answer, useAnswerOf } from '../../state/useAnswer';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';
import { changesOf, dimensionTitles } from './changes';

type Step = Row<'compare_steps'>;

const splits = {
  section: 'sections',
  own: 'functions',
  dataset: 'datasets',
  host: 'hosts',
} as const satisfies Record<DimensionOfChange, string>;

/** What a cause of the verdict is a part of. */
const dimensionOf: Record<string, DimensionOfChange> = {
  section: 'section',
  'dataset and section': 'section',
  'own function': 'own',
  dataset: 'dataset',
  file: 'host',
  host: 'host',
  worker: 'host',
};

interface StepsPanelProps {
  pair: Pair;
  verdict: Answer<'verdict'>;
  rows: Answer<'compare'>;
}

/** From A to B: what all has in common, the parts beyond it, then the rest; the steps add up. */
export function StepsPanel({ pair, verdict, rows }: StepsPanelProps) {
  const there = dimensionsOfChange.filter(
    (dimension) => rows.table && changesOf(rows.table, dimension).length > 2,
  );
  // by what the sentence above names
  const named = rowsOf(verdict.table)
    .map(({ kind }) => dimensionOf[kind])
    .find((dimension) => dimension !== undefined && there.includes(dimension));
  const by = changeBy.value ?? named ?? there[0] ?? 'section';
  const answer = useAnswerOf(runsOf(pair), 'compare_steps', selection.value, {
    ...sidesOption(pair),
    by: splits[by],
    per: per.value,
  });
  const { table } = answer;
  const steps = useMemo(() => rowsOf(table), [table]);
  const picture = useMemo(() => pictureOf(steps, table?.notes ?? {}), [steps, table]);
  return (
    <Panel
      title="From A to B"
      subtitle={
        steps.length > 0
          ? `${picture.unit}; the steps add up${picture.lo > 0 ? `; axis from ${Number(picture.lo.toPrecision(3))}` : ''}`
          : ''
      }
      actions={
        there.length > 1 ? (
          <Choice
            name="change-by"
            label="By"
            options={there.map((id) => ({ id, title: dimensionTitles[id] }))}
            value={by}
            of={changeBy}
          />
        ) : null
      }
      answer={answer}
      name="steps"
      testId="steps"
    >
      {steps.length > 0 ? (
        <Waterfall pair={pair} steps={steps} picture={picture} />
      ) : (
        <p class="missing">
          {table ? noteText(answer, 'missing') || 'Neither run has chunks or cores.' : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}

interface Picture {
  unit: string;
  divisor: number;
  from: number;
  to: number;
  /** the ends of the axis, in `unit` */
  lo: number;
  hi: number;
}

function pictureOf(steps: readonly Step[], notes: Readonly<Record<string, unknown>>): Picture {
  const [from, to] = [Number(notes.a), Number(notes.b)];
  const ends = [from, to, ...steps.flatMap(({ begin, end }) => [begin, end])];
  const whiskers = steps.flatMap(({ end, margin }) => [end - (margin || 0), end + (margin || 0)]);
  const scale = coreTimeScale(Math.max(...ends));
  const divisor = notes.unit === 's' ? scale.divisor : notes.unit === '1' ? 0.01 : 1;
  const unit =
    notes.unit === 's' ? scale.unit : notes.unit === '1' ? '% of available' : 'core-s per M events';
  const least = Math.max(0, Math.min(...ends, ...whiskers)) / divisor;
  const most = Math.max(...ends, ...whiskers) / divisor;
  return { unit, divisor, from, to, ...axisOf(least, most) };
}

/** An axis on which the changes fill the picture: it is cut where what both have in common is long. */
function axisOf(least: number, most: number): { lo: number; hi: number } {
  const span = most - least || most || 1;
  const round = 10 ** Math.floor(Math.log10(span));
  const lo = Math.floor((least - 0.25 * span) / round) * round;
  return { lo: lo > 0.3 * most ? lo : 0, hi: most + 0.03 * span };
}

interface WaterfallProps {
  pair: Pair;
  steps: readonly Step[];
  picture: Picture;
}

function Waterfall({ pair, steps, picture }: WaterfallProps) {
  const { unit, divisor, from, to, lo, hi } = picture;
  const whole = (id: 'a' | 'b', value: number): AxisRow => ({
    id,
    name: (
      <b>
        {id.toUpperCase()} {pair[id].title}
      </b>
    ),
    marks: (place) => (
      <>
        <AxisBar from={lo} to={value / divisor} colour="--div-equal" place={place} />
        {lo > 0 ? <Cut /> : null}
        {id === 'a' ? <Link at={value / divisor} place={place} /> : null}
      </>
    ),
    texts: [significant(value / divisor)],
    textId: `step-${id}`,
  });
  return (
    <AxisRows
      rows={[whole('a', from), ...steps.map((step) => rowOf(step, divisor)), whole('b', to)]}
      lo={lo}
      hi={hi}
      zero={Number.NaN}
      heads={[unit, 'error']}
      label={`From ${significant(from / divisor)} to ${significant(to / divisor)} ${unit}`}
    />
  );
}

function rowOf(step: Step, divisor: number): AxisRow {
  const { kind, label, a, b, delta, begin, end, margin, noteworthy } = step;
  // of sums that are equal the order of adding leaves a rest
  const change = Number((delta / divisor).toFixed(6));
  const error = Number.isFinite(margin) ? `± ${significant(margin / divisor)}` : '';
  return {
    id: `${kind} ${label}`,
    name: noteworthy === 1 ? <b>{label}</b> : label,
    nameId: 'step-name',
    marks: (place) => (
      <>
        <StepBar step={step} from={begin / divisor} to={end / divisor} place={place} />
        {error ? (
          <Whisker from={(end - margin) / divisor} to={(end + margin) / divisor} place={place} />
        ) : null}
        <Link at={end / divisor} place={place} />
      </>
    ),
    texts: [signed(significant(change), change), error],
    textId: 'step-change',
    tooltip: () =>
      `${label}: ${signed(significant(change), change)}${error ? ` ${error}` : ''}${
        Number.isFinite(a + b)
          ? `, ${significant(a / divisor)} in A, ${significant(b / divisor)} in B`
          : ''
      }${noteworthy === 0 ? ': smaller than its error' : ''}`,
  };
}

interface MarkProps {
  from: number;
  to: number;
  place: Place;
}

/** Told parts are strong, all alike is pale, what is not told hatched, phases in their colours. */
function StepBar({ step, ...at }: MarkProps & { step: Step }) {
  const { kind, delta, noteworthy } = step;
  const colour = delta > 0 ? '--div-more' : '--div-less';
  if (kind === 'evenly' || kind === 'function') return <AxisBar {...at} colour={`${colour}-2`} />;
  if (kind === 'part' || kind === 'rest')
    return <AxisBar {...at} colour={kind === 'part' && noteworthy !== 0 ? colour : ''} />;
  const look = phaseLook(kind);
  return <AxisBar {...at} colour={look.texture === 'solid' ? look.colour : ''} />;
}

function Whisker({ from, to, place }: MarkProps) {
  const left = place(from);
  return <i class="axis-whisker" style={{ left: `${left}%`, width: `${place(to) - left}%` }} />;
}

/** From the end of a step down to the next. */
const Link = ({ at, place }: { at: number; place: Place }) => (
  <i class="axis-link" style={{ left: `${place(at)}%` }} />
);

/** The bar begins left of the axis. */
const Cut = () => (
  <svg class="axis-break" width="12" height="22" aria-hidden="true">
    <path d="M3 2L9 7L3 12L9 17L4 21" style={{ stroke: cssColour('--surface') }} />
  </svg>
);
