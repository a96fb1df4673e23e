import { signal } from '@preact/signals';
import { sectionTitle } from '../../domain/columns';
import { useDatasets } from '../../domain/datasetColours';
import { type Row, rowsOf } from '../../engine/table';
import { type BarRow, BarRows } from '../../plot/BarRows';
import {
  bytes,
  type CoreTimeScale,
  coreTimeValue,
  duration,
  listed,
  memory,
  percent,
  significant,
} from '../../plot/format';
import { selection } from '../../state/selection';
import { put } from '../../state/setter';
import { useAnswer } from '../../state/useAnswer';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';
import { useCoreTimeScale } from '../common/useCoreTimeScale';
import { distributed } from './DistributionPanel';

const quantities = [
  { id: 'seconds', title: 'time' },
  { id: 'memory_delta', title: 'memory' },
  { id: 'bytes', title: 'bytes' },
] as const;
type Amount = (typeof quantities)[number]['id'];

const groupings = [
  { id: 'all', title: 'all' },
  { id: 'dataset', title: 'by dataset' },
] as const;

const amount = signal<Amount>('seconds');
const grouping = signal<'all' | 'dataset'>('all');

/**
 * What the named sections of process() took. Where they can lie inside one another they are listed,
 * never stacked.
 */
export function SectionsPanel({ className = 'span-7' }: { className?: string }) {
  const by = grouping.value;
  const answer = useAnswer('sections', selection.value, by === 'dataset' ? { by } : {});
  const { colourOf } = useDatasets();
  const { table } = answer;
  const shown = amount.value;
  const subtitle = [
    noteText(answer, 'overlap') ? 'sections overlap, so they do not add up' : '',
    noteText(answer, 'selection'),
  ];
  const longestFirst = rowsOf(table)
    .filter((row) => Number.isFinite(row[shown]))
    .sort((a, b) => b[shown] - a[shown]);
  const scale = useCoreTimeScale();
  // how often a chunk enters a section is worth a column where it is not once
  const areRepeated = longestFirst.some((row) => row.entries > 1);
  const rows = longestFirst.map((row) =>
    sectionRow(row, shown, scale, areRepeated, by === 'dataset' ? colourOf : undefined),
  );
  const heads = [scale.unit, 'of process()', 'mean', 'p95', 'max'];
  return (
    <Panel
      title="Sections of process()"
      subtitle={<span title={noteText(answer, 'overlap')}>{listed(subtitle)}</span>}
      answer={answer}
      className={className}
      testId="sections"
      actions={
        <>
          <Choice name="section-by" label="Group" options={groupings} of={grouping} />
          <Choice name="section-amount" label="Quantity" options={quantities} of={amount} />
        </>
      }
    >
      {rows.length > 0 ? (
        <BarRows
          rows={rows}
          heads={shown !== 'seconds' ? ['sum'] : areRepeated ? [...heads, 'times entered'] : heads}
          label={`Sections of process() by ${shown}`}
          testId="section"
          maxHeight={300}
        />
      ) : (
        <p class="missing">
          {table && table.rows > 0
            ? `no section has ${quantityName(shown)} recorded`
            : noteText(answer, 'missing')}
        </p>
      )}
      <Custom />
    </Panel>
  );
}

const quantityName = (of: Amount): string =>
  of === 'seconds' ? 'its time' : of === 'bytes' ? 'its bytes' : 'its memory';

const prefix: Record<Amount, string> = {
  seconds: 'section:',
  memory_delta: 'section_memory:',
  bytes: 'section_bytes:',
};

function sectionRow(
  row: Row<'sections'>,
  shown: Amount,
  scale: CoreTimeScale,
  areRepeated: boolean,
  colourOf: ((name: string) => string) | undefined,
): BarRow {
  const { name, dataset } = row;
  // the rest has no chunks of its own: it is what the others leave
  const isRest = row.kind === 'unaccounted';
  const column = prefix[shown] + name;
  const each = (value: number) => (Number.isFinite(value) ? duration(value) : '–');
  const whose = colourOf ? dataset || 'no dataset' : '';
  return {
    id: `${row.kind}-${whose}-${name}`,
    label: (
      <>
        {sectionTitle(name)}
        {whose ? <span class="muted"> {whose}</span> : null}
      </>
    ),
    value: row[shown],
    colour: colourOf ? colourOf(dataset) : '--ph-process',
    hatched: isRest,
    texts:
      shown === 'seconds'
        ? [
            coreTimeValue(row.seconds, scale),
            percent(row.share_of_process),
            each(row.mean),
            each(row.p95),
            each(row.max),
            ...(areRepeated ? [significant(row.entries)] : []),
          ]
        : [shown === 'bytes' ? bytes(row.bytes) : memory(row.memory_delta)],
    selected: distributed.value === column,
    onClick: isRest
      ? undefined
      : () => {
          distributed.value = distributed.peek() === column ? 'duration' : column;
        },
  };
}

/** Numbers that the user's own code put into the chunks; a click shows how one is distributed. */
function Custom() {
  const by = grouping.value;
  const answer = useAnswer('custom_metrics', selection.value, by === 'dataset' ? { by } : {});
  const { table } = answer;
  if (!table || table.rows === 0) return null;
  const print = (value: number) => String(Number(value.toPrecision(4)));
  return (
    <>
      <h3 class="panel-part">Numbers of your own</h3>
      <BarRows
        rows={rowsOf(table).map((row) => {
          const { name } = row;
          const dataset = table.has('dataset') ? row.dataset || 'no dataset' : '';
          return {
            id: dataset ? `${dataset}-${name}` : name,
            label: dataset ? `${name} ${dataset}` : name,
            value: row.mean,
            scale: name,
            colour: '--c6',
            texts: [row.mean, row.sum, row.p50, row.p95, row.max].map(print),
            selected: distributed.value === name,
            onClick: put(distributed, name),
          };
        })}
        heads={['mean', 'sum', 'median', 'p95', 'max']}
        label="Numbers of your own in the chunks"
        testId="custom"
        maxHeight={160}
      />
    </>
  );
}
