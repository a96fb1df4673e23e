import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { count } from '../../plot/format';
import { at, map } from '../../plot/numbers';
import type { Steps } from '../../plot/steps';
import { MiniTrack } from '../../plot/Track';
import { type Answer, useAnswer } from '../../state/answers';
import type { Pair } from '../../state/pair';
import { selection } from '../../state/selection';
import { useIsExpanded } from '../../ui/useExpanded';
import { joinedTables } from '../common/joinedTables';
import { noteText, Panel } from '../common/Panel';
import { SideLegend } from './SideLegend';

const bins = 40;

/** How long the chunks of both runs took: densities, so that many chunks compare with few. */
export function DurationsPanel({ pair }: { pair: Pair }) {
  const ofA = useAnswer(pair.a.id, 'distribution', selection.value, { column: 'duration', bins });
  const ofB = useAnswer(pair.b.id, 'distribution', selection.value, { column: 'duration', bins });
  const a = useMemo(() => densityOf(ofA.table), [ofA.table]);
  const b = useMemo(() => densityOf(ofB.table), [ofB.table]);
  const known = ofA.table !== undefined && ofB.table !== undefined;
  const data = useMemo(
    () =>
      joinedTables([
        { run: 'A', table: ofA.table },
        { run: 'B', table: ofB.table },
      ]),
    [ofA.table, ofB.table],
  );
  const chunks = (answer: Answer) => count(Number(answer.table?.notes.count ?? 0));
  return (
    <Panel
      title="Chunk run time"
      subtitle={a && b ? `${chunks(ofA)} and ${chunks(ofB)} chunks, each as a share` : ''}
      answers={[ofA, ofB]}
      data={data}
      name="durations"
      testId="durations"
      className="stretch"
      actions={<SideLegend />}
    >
      {a || b ? (
        <Densities a={a} b={b} />
      ) : (
        <p class="missing overlay-missing">
          {known ? noteText(ofB, 'missing') || noteText(ofA, 'missing') : '\u00a0'}
        </p>
      )}
      {known && (a === undefined) !== (b === undefined) ? (
        <p class="muted">
          {a ? 'B' : 'A'}: {noteText(a ? ofB : ofA, 'missing') || 'no chunk'}
        </p>
      ) : null}
    </Panel>
  );
}

/** Percent of the chunks per second of their run time. */
function densityOf(table: Table<'distribution'> | undefined): Steps | undefined {
  if (!table || table.rows === 0) return undefined;
  const densities = map(table.numbers('density'), (density) => 100 * density);
  const lo = table.numbers('lo');
  const hi = table.numbers('hi');
  const last = at(hi, hi.length - 1);
  if (densities.every(Number.isFinite))
    return { edges: Float64Array.of(0, ...lo, last), values: Float64Array.of(0, ...densities) };
  // all of the same duration is a point: as wide, and so as high, as can be seen
  const width = Math.max(0.01 * last, 1e-6);
  return {
    edges: Float64Array.of(0, at(lo, 0), at(lo, 0) + width),
    values: Float64Array.of(0, 100 / width),
  };
}

function Densities({ a, b }: { a: Steps | undefined; b: Steps | undefined }) {
  const expanded = useIsExpanded();
  const both = [a, b].filter((steps) => steps !== undefined);
  const end = 1.02 * Math.max(...both.map((steps) => at(steps.edges, steps.edges.length - 1)));
  const layers = useMemo(
    (): Layer[] => [
      ...(a ? [{ kind: 'area', steps: a, colour: '--text-2', opacity: 0.2 } as const] : []),
      ...(b ? [{ kind: 'area', steps: b, colour: '--accent', opacity: 0.2 } as const] : []),
      ...(a ? [{ kind: 'line', steps: a, colour: '--text-2', width: 1.25 } as const] : []),
      ...(b ? [{ kind: 'line', steps: b, colour: '--accent', width: 1.5 } as const] : []),
    ],
    [a, b],
  );
  return (
    <MiniTrack
      caption="% of chunks per second of run time"
      over={[0, end]}
      unit="s"
      layers={layers}
      height={expanded ? window.innerHeight - 240 : 104}
      label="How long the chunks of both runs took in process()"
      testId="durations-plot"
    />
  );
}
