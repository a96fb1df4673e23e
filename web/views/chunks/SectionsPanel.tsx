import { signal } from '@preact/signals';
import { datasetColours } from '../../domain/datasetColours';
import type { Table } from '../../engine/table';
import { type BarRow, BarRows } from '../../plot/BarRows';
import { bytes, coreTime, duration, memory, percent } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { into } from '../../state/into';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';
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
export function SectionsPanel() {
  const by = grouping.value;
  const answer = useAnswer(
    activeRunId.value,
    'sections',
    selection.value,
    by === 'dataset' ? { by } : {},
  );
  const whole = useAnswer(activeRunId.value, 'datasets');
  const { table } = answer;
  const shown = amount.value;
  const subtitle = [
    noteText(answer, 'overlap') ? 'may overlap: side by side, not a sum' : '',
    noteText(answer, 'selection'),
  ];
  const colourOf = whole.table && by === 'dataset' ? datasetColours(whole.table) : undefined;
  const rows = table ? sectionRows(table, shown, colourOf) : [];
  return (
    <Panel
      title="Sections of process()"
      subtitle={
        <span title={noteText(answer, 'overlap')}>{subtitle.filter(Boolean).join(' · ')}</span>
      }
      answers={[answer]}
      twin={table}
      className="span-7"
      testId="sections"
      actions={
        <>
          <Segmented
            name="section-by"
            label="Group"
            options={groupings}
            value={by}
            onChange={into(grouping)}
          />
          <Segmented
            name="section-amount"
            label="Quantity"
            options={quantities}
            value={shown}
            onChange={into(amount)}
          />
        </>
      }
    >
      {rows.length > 0 ? (
        <BarRows
          rows={rows}
          heads={shown === 'seconds' ? ['core-s', 'of process()', 'mean', 'p95', 'max'] : ['sum']}
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

function sectionRows(
  table: Table,
  shown: Amount,
  colourOf: ((name: string) => string) | undefined,
): BarRow[] {
  const found = Array.from({ length: table.rows }, (_, row) => row).filter((row) =>
    Number.isFinite(table.number(shown, row)),
  );
  const most = Math.max(...found.map((row) => Math.abs(table.number(shown, row))));
  return found
    .sort((a, b) => table.number(shown, b) - table.number(shown, a) || a - b)
    .map((row) => {
      const value = table.number(shown, row);
      const name = table.text('name', row) ?? '';
      const dataset = table.has('dataset') ? (table.text('dataset', row) ?? 'no dataset') : '';
      // the rest has no chunks of its own: it is what the others leave
      const isRest =
        name === 'unaccounted' &&
        !Number.isFinite(table.number('chunks', row)) &&
        shown === 'seconds';
      const column = prefix[shown] + name;
      const each = (of: string) =>
        Number.isFinite(table.number(of, row)) ? duration(table.number(of, row)) : '–';
      return {
        id: dataset ? `${dataset}-${name}` : name,
        label: (
          <>
            {name}
            {dataset ? <span class="muted"> {dataset}</span> : null}
          </>
        ),
        share: most > 0 ? Math.abs(value) / most : 0,
        colour: colourOf ? colourOf(table.text('dataset', row) ?? '') : '--ph-process',
        hatched: isRest,
        texts:
          shown === 'seconds'
            ? [
                coreTime(value),
                percent(table.number('share_of_process', row)),
                each('mean'),
                each('p95'),
                each('max'),
              ]
            : [shown === 'bytes' ? bytes(value) : memory(value)],
        selected: distributed.value === column,
        onClick: isRest
          ? undefined
          : () => {
              distributed.value = distributed.peek() === column ? 'duration' : column;
            },
      };
    });
}

/** Numbers that the user's own code put into the chunks; a click shows how one is distributed. */
function Custom() {
  const by = grouping.value;
  const answer = useAnswer(
    activeRunId.value,
    'custom_metrics',
    selection.value,
    by === 'dataset' ? { by } : {},
  );
  const { table } = answer;
  if (!table || table.rows === 0) return null;
  const print = (value: number) => String(Number(value.toPrecision(4)));
  return (
    <>
      <h3 class="panel-part">Numbers of your own</h3>
      <BarRows
        rows={Array.from({ length: table.rows }, (_, row) => {
          const name = table.text('name', row) ?? '';
          const dataset = table.has('dataset') ? (table.text('dataset', row) ?? 'no dataset') : '';
          const most = Math.max(
            ...Array.from({ length: table.rows }, (_unused, other) =>
              table.text('name', other) === name ? Math.abs(table.number('mean', other)) : 0,
            ),
          );
          return {
            id: dataset ? `${dataset}-${name}` : name,
            label: dataset ? `${name} ${dataset}` : name,
            share: most > 0 ? Math.abs(table.number('mean', row)) / most : 0,
            colour: '--c6',
            texts: (['mean', 'sum', 'p50', 'p95', 'max'] as const).map((of) =>
              print(table.number(of, row)),
            ),
            selected: distributed.value === name,
            onClick: () => {
              distributed.value = name;
            },
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
