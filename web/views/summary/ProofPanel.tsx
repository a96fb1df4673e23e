import { useMemo } from 'preact/hooks';
import { activityLabel, isIdleActivity } from '../../domain/activities';
import { quantityOf } from '../../domain/columns';
import { coresOverTime } from '../../domain/coresOverTime';
import { useDatasets } from '../../domain/datasetColours';
import { factParts } from '../../domain/facts';
import { columnList, ghost, greyBeside, pointsOf } from '../../domain/points';
import { workerLabel } from '../../domain/workers';
import { rowsOf, type Table } from '../../engine/table';
import { type BarRow, BarRows } from '../../plot/BarRows';
import { shapeOf } from '../../plot/dots';
import type { Points } from '../../plot/drawScatter';
import { count, partsText, significant, withUnit } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { inOrder, quantileOf } from '../../plot/numbers';
import type { FitLine } from '../../plot/ScatterLines';
import { MiniTrack } from '../../plot/Track';
import type { CssPixels } from '../../plot/useSize';
import type { Finding } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { useAnswer } from '../../state/useAnswer';
import { ChunkScatter, chunkAxis, coloursIn, datasetEntries } from '../common/ChunkScatter';
import { Panel } from '../common/Panel';
import { shortPath } from '../common/PathText';
import { ExecutionsPanel } from './ExecutionsProof';
import { Missing } from './Missing';
import { MomentsPanel } from './MomentsProof';
import type { BarsProof, ChunksProof, CoresProof, Proof } from './proofs';

/** More bars than these are read in the view that has them all. */
const mostBars = 16;

interface ProofProps<P extends Proof = Proof> {
  proof: P;
  finding: Finding;
  /** of a chart; bars take what they need */
  height: CssPixels;
  /** says so where it was not recorded; what is not needed is left out instead */
  needed: boolean;
}

/** What a finding is about, in full, and the rest of the run as a ghost on the same scale. */
export function ProofPanel({ proof, ...more }: ProofProps) {
  if (proof.mark === 'chunks') return <ChunksPanel proof={proof} {...more} />;
  if (proof.mark === 'cores') return <CoresPanel proof={proof} {...more} />;
  if (proof.mark === 'executions') return <ExecutionsPanel title={proof.title} />;
  if (proof.mark === 'moments') return <MomentsPanel proof={proof} height={more.height} />;
  return <BarsPanel proof={proof} {...more} />;
}

function ChunksPanel({ proof, finding, height, needed }: ProofProps<ChunksProof>) {
  const run = activeRunId.value;
  const { datasets, colourOf } = useDatasets(run);
  const columns = useAnswer('chunk_columns');
  const known = columns.table;
  const isKnown = (column: string | undefined) =>
    rowsOf(known).some((row) => row.column === column && row.known > 0);
  const x = proof.x.find(isKnown) ?? '';
  const y = proof.y.find(isKnown) ?? '';
  const beside = isKnown(proof.beside) ? proof.beside : undefined;
  const answer = useAnswer(
    x && y ? 'chunks' : '',
    {},
    { columns: columnList(['chunk', 'dataset', 'early', x, y].concat(beside ?? [])) },
  );
  const concerned = useAnswer('chunks', finding.selection, { columns: 'chunk' });
  const about = concerned.table;
  const { table } = answer;
  const shown = useMemo(() => {
    if (!table?.has(y) || !about?.has('chunk')) return undefined;
    const all = pointsOf(table, x, y, colourOf);
    if (beside) return besidePoints(all, table, beside);
    return inFull(proof.largest ? greyBut(all) : greyBeside(all, table, about));
  }, [table, about, x, y, beside, proof.largest, colourOf]);
  const inColour = useMemo(() => shown && coloursIn(shown), [shown]);
  if (!(x && y) && !needed) return null;
  const full = shown ? shown.outlier?.reduce((sum, one) => sum + one, 0) : 0;
  const isAll = full === table?.rows;
  const lines = shown && !isAll ? medians(shown, y) : [];
  const grey = { id: 'rest', label: beside ? quantityOf(beside).label : 'other chunks' };
  return (
    <Panel
      title={proof.title}
      subtitle={about && table ? `${count(full ?? 0)} of ${count(table.rows)} chunks` : ''}
      answers={[columns, answer, concerned]}
      data={table}
      testId="proof"
    >
      {table && shown ? (
        <>
          <ChunkScatter
            table={table}
            points={shown}
            x={x}
            y={y}
            xAxis={chunkAxis(x)}
            yAxis={chunkAxis(y, proof.log)}
            lines={lines}
            height={height}
            label={`${quantityOf(y).label} by ${quantityOf(x).label} of ${count(table.rows)} chunks`}
            testId="proof-chart"
          />
          {lines.length > 1 ? (
            <p class="plot-caption tiny muted">
              The lines are medians of all chunks; a ratio in the finding is of like chunks.
            </p>
          ) : null}
          <Legend
            entries={[
              ...(datasets ? datasetEntries(datasets, colourOf) : []).filter(({ colour }) =>
                inColour?.has(colour),
              ),
              ...(isAll && !beside ? [] : [{ ...grey, colour: ghost, shape: shapeOf(ghost) }]),
            ]}
          />
        </>
      ) : (
        <Missing table={x && y ? undefined : known} />
      )}
    </Panel>
  );
}

/** Those that are not grey are drawn as outliers are. */
const inFull = (points: Points): Points => ({
  ...points,
  outlier: Float64Array.from(points.group, (group) => Number(group < points.colours.length - 1)),
});

/** All in grey but the highest. */
function greyBut(points: Points): Points {
  const top = points.y.reduce((most, value) => (value > most ? value : most), 0);
  const grey = points.colours.length;
  return {
    ...points,
    colours: [...points.colours, ghost],
    group: points.group.map((group, at) => ((points.y[at] as number) < top ? grey : group)),
  };
}

/** Each in full, with another number of the same chunk in grey: the second half of the points. */
function besidePoints(points: Points, table: Table, column: string): Points {
  const twice = (first: ArrayLike<number>, second: ArrayLike<number>) =>
    Float64Array.from([...Array.from(first), ...Array.from(second)]);
  const grey = points.colours.length;
  return inFull({
    x: twice(points.x, points.x),
    y: twice(points.y, table.numbers(column)),
    colours: [...points.colours, ghost],
    group: Uint8Array.from([...points.group, ...points.group.map(() => grey)]),
  });
}

/** Levels of the chunks in full and of the others. */
function medians({ y, outlier }: Points, column: string): FitLine[] {
  return [1, 0].flatMap((which) => {
    const values = inOrder(Array.from(y).filter((_, at) => outlier?.[at] === which));
    // a line would hide the few that it is of
    if (values.length < 4) return [];
    const level = quantileOf(values, 0.5);
    return {
      label: which ? 'these chunks' : 'other chunks',
      detail: `median ${quantityOf(column).text(level)}`,
      colour: which ? '--accent' : '--text-3',
      fixed: level,
      slope: 0,
    };
  });
}

const bins = 200;

function CoresPanel({ proof: { title, parts }, finding, height, needed }: ProofProps<CoresProof>) {
  const answer = useAnswer('core_time_bins', {}, { bins });
  const { table } = answer;
  const { time } = finding.selection;
  const shown = useMemo(
    () => (table ? coresOverTime(table, undefined, { parts, time }) : undefined),
    [table, parts, time],
  );
  if (table && !needed && !shown?.legend.some(({ id }) => id !== 'rest')) return null;
  return (
    <Panel title={title} answers={[answer]} data={table} testId="proof">
      {shown ? (
        <MiniTrack
          caption="cores"
          over={[shown.begin, shown.end]}
          unit="s"
          layers={shown.layers}
          top={shown.top}
          height={height}
          label={title}
        >
          <Legend entries={shown.legend} />
        </MiniTrack>
      ) : (
        <Missing table={table} />
      )}
    </Panel>
  );
}

function BarsPanel({ proof, finding, needed }: ProofProps<BarsProof>) {
  const answer = useAnswer(proof.question, {}, proof.options ?? {});
  const workers = useAnswer('workers').table;
  const table = answer.table as Table | undefined;
  const names = namesOf(proof, finding);
  const bars = table ? barsOf(table, proof) : [];
  const isMarked = ({ names: own }: Bar) =>
    names.length === 0 || own.some((name) => names.includes(name));
  const full = bars.filter(isMarked);
  const isLevel =
    proof.apart === true &&
    !areApart(
      full,
      bars.filter((bar) => !full.includes(bar)),
    );
  if (table && (bars.length === 0 || isLevel) && !needed) return null;
  const labelOf = (name: string): string => {
    if (proof.label === 'worker') return workerLabel(workers, name);
    return proof.label === 'activity' ? activityLabel(name) : shortPath(name);
  };
  return (
    <Panel title={proof.title} answers={[answer]} data={answer.table} testId="proof">
      {bars.length > 0 ? (
        <BarRows
          label={proof.title}
          heads={proof.heads ?? []}
          testId="proof-bars"
          rows={bars
            .filter((bar, place) => place < mostBars || (names.length > 0 && isMarked(bar)))
            .map((bar): BarRow => {
              const colour = isMarked(bar) ? '--accent' : '--text-3';
              return {
                id: bar.id,
                label: labelOf(bar.names[0] ?? ''),
                texts: bar.texts,
                ...(bar.whole === undefined
                  ? { value: bar.value, colour: isMarked(bar) ? colour : '--line-2' }
                  : {
                      value: bar.whole,
                      colour: '--line-2',
                      within: [{ value: bar.value, colour }],
                    }),
              };
            })}
        />
      ) : (
        <Missing table={table} />
      )}
    </Panel>
  );
}

/** Of the bars in full; [] = all of them. */
const namesOf = ({ marked = [] }: BarsProof, finding: Finding): readonly string[] => {
  if (typeof marked !== 'string') return marked;
  if (marked === 'function') return finding.function ? [finding.function] : [];
  return finding.selection[marked] ?? [];
};

/** Of the longest: what is no further apart is one length to the eye. */
const visible = 0.1;

/** Whether some bars are all longer than the others, or all shorter, as far as one sees. */
export function areApart(some: readonly Bar[], others: readonly Bar[]): boolean {
  const ends = (bars: readonly Bar[]) => {
    const values = inOrder(bars.map(({ value }) => value));
    return [values[0] ?? Number.NaN, values.at(-1) ?? Number.NaN] as const;
  };
  const [least, most] = ends(some);
  const [low, high] = ends(others);
  const seen = visible * Math.max(most, high);
  return least > high + seen || most < low - seen;
}

interface Bar {
  id: string;
  /** several where they are one bar */
  names: string[];
  value: number;
  whole?: number;
  texts: string[];
}

const timesText = (times: number): string =>
  Number.isFinite(times) ? `× ${significant(times)}` : '';

/** Longest first; columns as they are declared. What is not known has no bar. */
export function barsOf(table: Table, proof: BarsProof): Bar[] {
  const { label, value, whole, only, note, columns, ratio } = proof;
  const text = (column: string, number: number): string =>
    proof.unit
      ? withUnit(significant(number), proof.unit)
      : partsText(factParts({ id: column, unit: table.column(column).unit }, number));
  if (columns)
    return Object.entries(columns).flatMap(([column, name]) => {
      const number = table.rows > 0 ? table.number(column, 0) : Number.NaN;
      if (!(number > 0)) return [];
      return [{ id: column, names: [name], value: number, texts: [text(column, number)] }];
    });
  if (!label || !value) return [];
  const found = new Map<string, Bar>();
  for (let row = 0; row < table.rows; row += 1) {
    const name = table.text(label, row) ?? '';
    const number = table.number(value, row);
    if (!Number.isFinite(number) || isIdleActivity(name)) continue;
    if (proof.ofEach && table.number('split_measured', row) !== 1) continue;
    if (only && !only.slice(1).includes(table.text(only[0], row) ?? '')) continue;
    const id = proof.together
      ? ((proof.together === 'file name' ? name.split('/').at(-1) : name) ?? '')
      : String(row);
    const before = found.get(id);
    const sum = (before?.value ?? 0) + number;
    const all = whole ? table.number(whole, row) : undefined;
    found.set(id, {
      id,
      names: [...(before?.names ?? []), name],
      value: sum,
      ...(all === undefined ? {} : { whole: all }),
      texts: [
        text(value, sum),
        ...(whole && all !== undefined ? [text(whole, all)] : []),
        ...(ratio ? [timesText(table.number(ratio, row))] : []),
        ...(note ? [table.text(note, row) ?? ''] : []),
      ],
    });
  }
  return [...found.values()].sort((a, b) => b.value - a.value);
}
