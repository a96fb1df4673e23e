import { useMemo } from 'preact/hooks';
import { quantityOf } from '../../domain/columns';
import { coresOverTime } from '../../domain/coresOverTime';
import { useDatasets } from '../../domain/datasetColours';
import { factParts } from '../../domain/facts';
import { columnList, greyBeside, pointsOf } from '../../domain/points';
import { workerLabel } from '../../domain/workers';
import type { Table } from '../../engine/table';
import { type BarRow, BarRows } from '../../plot/BarRows';
import type { Points } from '../../plot/drawScatter';
import { count, partsText } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { MiniTrack } from '../../plot/Track';
import { useAnswer } from '../../state/answers';
import type { Finding } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { ChunkScatter, chunkAxis, DatasetLegend } from '../common/ChunkScatter';
import { Panel } from '../common/Panel';
import { shortPath } from '../common/PathText';
import type { Proof } from './proofs';

const height = 300;
/** More bars than these are read in the view that has them all. */
const mostBars = 16;

type Of<M extends Proof['mark']> = { proof: Extract<Proof, { mark: M }>; finding: Finding };

/** What a finding is about, in full, and the rest of the run as a ghost on the same scale. */
export function ProofPanel({ proof, finding }: { proof: Proof; finding: Finding }) {
  if (proof.mark === 'chunks') return <ChunksProof proof={proof} finding={finding} />;
  if (proof.mark === 'cores') return <CoresProof proof={proof} finding={finding} />;
  return <BarsProof proof={proof} finding={finding} />;
}

function ChunksProof({ proof: { title, x, y, log = false }, finding }: Of<'chunks'>) {
  const run = activeRunId.value;
  const { datasets, colourOf } = useDatasets(run);
  const answer = useAnswer(
    run,
    'chunks',
    {},
    {
      columns: columnList(['chunk', 'dataset', 'outlier', 'early', x, y]),
    },
  );
  const about = useAnswer(run, 'chunks', finding.selection, { columns: 'chunk' }).table;
  const { table } = answer;
  const has = table?.has(x) && table.has(y);
  const points = useMemo(
    () =>
      table && has && about?.has('chunk')
        ? inFull(greyBeside(pointsOf(table, x, y, colourOf), table, about))
        : undefined,
    [table, about, has, x, y, colourOf],
  );
  return (
    <Panel
      title={title}
      subtitle={about && table ? `${count(about.rows)} of ${count(table.rows)} chunks` : ''}
      answer={answer}
      testId="proof"
    >
      {table && points ? (
        <>
          <ChunkScatter
            table={table}
            points={points}
            x={x}
            y={y}
            xAxis={chunkAxis(x)}
            yAxis={chunkAxis(y, log)}
            height={height}
            label={`${quantityOf(y).label} by ${quantityOf(x).label} of ${count(table.rows)} chunks`}
            testId="proof-chart"
          />
          {datasets ? <DatasetLegend datasets={datasets} colourOf={colourOf} /> : null}
        </>
      ) : (
        <p class="missing">{table ? 'not recorded' : '\u00a0'}</p>
      )}
    </Panel>
  );
}

/** Those that are not grey are drawn as outliers are. */
const inFull = (points: Points): Points => ({
  ...points,
  outlier: Float64Array.from(points.group, (group) => Number(group < points.colours.length - 1)),
});

const bins = 400;

function CoresProof({ proof: { title, parts } }: Of<'cores'>) {
  const answer = useAnswer(activeRunId.value, 'core_time_bins', {}, { bins });
  const { table } = answer;
  const shown = useMemo(
    () => (table ? coresOverTime(table, undefined, parts) : undefined),
    [table, parts],
  );
  return (
    <Panel title={title} answers={[answer]} data={table} testId="proof">
      {shown ? (
        <MiniTrack
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
        <p class="missing">{table ? 'not recorded' : '\u00a0'}</p>
      )}
    </Panel>
  );
}

function BarsProof({ proof, finding }: Of<'bars'>) {
  const run = activeRunId.value;
  const answer = useAnswer(run, proof.question);
  const workers = useAnswer(run, 'workers').table;
  const table = answer.table as Table | undefined;
  const { marked } = proof;
  const names = typeof marked === 'string' ? (finding.selection[marked] ?? []) : marked;
  const rows = table ? barsOf(table, proof) : [];
  return (
    <Panel title={proof.title} answers={[answer]} data={answer.table} testId="proof">
      {rows.length > 0 ? (
        <BarRows
          label={proof.title}
          rows={rows.slice(0, mostBars).map(
            ({ name, value, text }): BarRow => ({
              id: name,
              label:
                proof.label === 'worker' && workers ? workerLabel(workers, name) : shortPath(name),
              value,
              texts: [text],
              colour: names.length === 0 || names.includes(name) ? '--accent' : '--line-2',
            }),
          )}
        />
      ) : (
        <p class="missing">{table ? 'not recorded' : '\u00a0'}</p>
      )}
    </Panel>
  );
}

interface Bar {
  name: string;
  value: number;
  text: string;
}

/** Longest first; columns as they are declared. */
function barsOf(table: Table, { label, value, columns }: Of<'bars'>['proof']): Bar[] {
  const bar = (name: string, column: string, row: number): Bar => {
    const { unit } = table.column(column);
    const number = table.number(column, row);
    return { name, value: number, text: partsText(factParts({ id: column, unit }, number)) };
  };
  if (columns) {
    if (table.rows === 0) return [];
    return Object.entries(columns).map(([column, name]) => bar(name, column, 0));
  }
  if (!label || !value) return [];
  return Array.from({ length: table.rows }, (_, row) =>
    bar(table.text(label, row) ?? '', value, row),
  )
    .filter(({ value: length }) => Number.isFinite(length))
    .sort((a, b) => b.value - a.value);
}
