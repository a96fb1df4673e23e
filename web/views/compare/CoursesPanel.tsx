import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { NumbersOf } from '../../engine/questions';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { rateScale } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { largest, map } from '../../plot/numbers';
import { intervals, type Steps } from '../../plot/steps';
import { MiniTrack, topOf } from '../../plot/Track';
import { type Answer, useAnswer } from '../../state/answers';
import { type Alignment, alignment, type Pair } from '../../state/pair';
import { untimedSelection } from '../../state/selection';
import { useIsExpanded } from '../../ui/useExpanded';
import { joinedTables } from '../common/joinedTables';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';
import { changesOf } from './changes';

const bins = 400;
const quantity = signal<CourseQuantity>('data');

/** How both runs went, over each other. */
export function CoursesPanel({ pair, answer }: { pair: Pair; answer: Answer }) {
  const ofA = useAnswer(pair.a.id, 'throughput', untimedSelection.value, { bins });
  const ofB = useAnswer(pair.b.id, 'throughput', untimedSelection.value, { bins });
  const first =
    answer.table &&
    changesOf(answer.table, 'summary').find(({ id }) => id === 'time_to_first_chunk');
  const firstA = first?.a ?? Number.NaN;
  const firstB = first?.b ?? Number.NaN;
  const has = (name: CourseQuantity) =>
    [ofA.table, ofB.table].some((table) => courseOf(table, name, 'start', 0) !== undefined);
  // what neither has is not what the reader is shown first
  const shown = has(quantity.value) ? quantity.value : (courseQuantities.find(has) ?? 'data');
  const align = alignment.value;
  const a = useMemo(
    () => courseOf(ofA.table, shown, align, firstA),
    [ofA.table, shown, align, firstA],
  );
  const b = useMemo(
    () => courseOf(ofB.table, shown, align, firstB),
    [ofB.table, shown, align, firstB],
  );
  const known = ofA.table !== undefined && ofB.table !== undefined;
  const data = useMemo(
    () =>
      joinedTables([
        { run: 'A', table: ofA.table },
        { run: 'B', table: ofB.table },
      ]),
    [ofA.table, ofB.table],
  );
  return (
    <Panel
      title={quantityTitles[shown].title}
      subtitle={alignedTexts[align]}
      answers={[ofA, ofB]}
      data={data}
      name="courses"
      testId="courses"
      className="stretch"
      actions={<SideLegend />}
    >
      <div class="chart-tools">
        <Choice
          name="course"
          label="Quantity"
          options={courseQuantities.map((id) => ({ id, title: quantityTitles[id].title }))}
          value={shown}
          of={quantity}
        />
        <Choice
          name="align"
          label="Aligned at"
          options={[
            { id: 'start', title: 'start' },
            { id: 'chunk', title: 'first chunk' },
            { id: 'progress', title: 'progress' },
          ]}
          of={alignment}
        />
      </div>
      {a || b ? (
        <Courses a={a} b={b} quantity={shown} progress={align === 'progress'} />
      ) : (
        <p class="missing overlay-missing">
          {known ? noteText(ofB, 'missing') || noteText(ofA, 'missing') : '\u00a0'}
        </p>
      )}
      {known && (a === undefined) !== (b === undefined) ? (
        <p class="muted">
          {a ? 'B' : 'A'}: not recorded
          {noteText(a ? ofB : ofA, 'missing') ? ` (${noteText(a ? ofB : ofA, 'missing')})` : ''}
        </p>
      ) : null}
    </Panel>
  );
}

const alignedTexts = {
  start: 'aligned at the start',
  chunk: 'aligned at the first chunk',
  progress: 'by the share of events processed',
};

interface CoursesProps {
  a: Steps | undefined;
  b: Steps | undefined;
  quantity: CourseQuantity;
  progress: boolean;
}

function Courses({ a, b, quantity: what, progress }: CoursesProps) {
  const expanded = useIsExpanded();
  const { unit } = quantityTitles[what];
  const most = Math.max(...[a, b].map((steps) => (steps ? largest(steps.values) : 0)));
  const scale = unit === 'cores' ? { divisor: 1, unit } : rateScale(most, unit);
  const ends = [a, b].flatMap((steps) =>
    steps ? [steps.edges[0] ?? 0, steps.edges[steps.edges.length - 1] ?? 0] : [],
  );
  const begin = Math.min(...ends);
  // room for the last tick
  const end = progress ? 102 : Math.max(...ends);
  const layers = useMemo(
    (): Layer[] =>
      [
        { steps: a, colour: '--text-2', width: 1.25 },
        { steps: b, colour: '--accent', width: 1.75 },
      ].flatMap(({ steps, colour, width }) =>
        steps
          ? [
              {
                kind: 'line',
                steps: {
                  edges: steps.edges,
                  values: map(steps.values, (value) => value / scale.divisor),
                },
                colour,
                width,
              } as const,
            ]
          : [],
      ),
    [a, b, scale.divisor],
  );
  return (
    <MiniTrack
      caption={scale.unit}
      over={[begin, end]}
      unit={progress ? '%' : 's'}
      layers={layers}
      height={expanded ? window.innerHeight - 240 : 118}
      label={`${quantityTitles[what].title} of both runs, up to ${topOf(layers, 3)} ${scale.unit}`}
      testId="courses-plot"
    />
  );
}

/** Which line is which run. */
function SideLegend() {
  return (
    <Legend
      entries={[
        { id: 'a', label: 'A', colour: '--text-2' },
        { id: 'b', label: 'B', colour: '--accent' },
      ]}
    />
  );
}

/** What can be drawn of two runs over each other, from the `throughput` question. */
const courseQuantities = ['data', 'events', 'cores'] as const;
type CourseQuantity = (typeof courseQuantities)[number];

const quantityTitles: Record<
  CourseQuantity,
  { title: string; column: NumbersOf<'throughput'>; unit: string; factor: number }
> = {
  data: { title: 'Data rate', column: 'bytes_per_second', unit: 'bps', factor: 8 },
  events: { title: 'Event rate', column: 'events_per_second', unit: 'Hz', factor: 1 },
  cores: { title: 'Cores in process()', column: 'chunks_running', unit: 'cores', factor: 1 },
};

/** A run's course along the shared axis; undefined when it has none of that quantity. */
function courseOf(
  table: Table<'throughput'> | undefined,
  quantity: CourseQuantity,
  align: Alignment,
  firstChunk: number,
): Steps | undefined {
  if (!table || table.rows === 0) return undefined;
  const { column, factor } = quantityTitles[quantity];
  const values = map(table.numbers(column), (value) => value * factor);
  if (!(largest(values) > 0)) return undefined;
  const steps = intervals(table.numbers('t0'), table.numbers('t1'), values);
  if (align === 'start') return steps;
  if (align === 'chunk') {
    if (!Number.isFinite(firstChunk)) return undefined;
    return { edges: map(steps.edges, (time) => time - firstChunk), values };
  }
  // at each edge the percentage of the run's events that are processed by then
  const done = table.numbers('events_done');
  if (!done.some(Number.isFinite)) return undefined;
  return { edges: Float64Array.of(0, ...map(done, (share) => 100 * share)), values };
}
