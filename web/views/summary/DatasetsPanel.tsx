import { useMemo } from 'preact/hooks';
import { datasetColours } from '../../domain/datasetColours';
import { columnDecimals, count, fixed, percent } from '../../plot/format';
import { Swatch } from '../../plot/Legend';
import { largest } from '../../plot/numbers';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection, toggleName } from '../../state/selection';
import { DataTable, type TableColumn } from '../../ui/DataTable';
import { noteText, Panel } from '../common/Panel';

const barPixels = 90;

/** process() time per dataset; the time outside has no owner in the bundle. */
export function DatasetsPanel() {
  const answer = useAnswer(activeRunId.value, 'datasets', selection.value);
  const whole = useAnswer(activeRunId.value, 'datasets');
  const { table } = answer;
  const columns = useMemo<TableColumn[]>(() => {
    if (!table) return [];
    const colourOf = whole.table ? datasetColours(whole.table) : () => '--c-rest';
    const name = (row: number) => table.text('name', row) ?? '';
    const seconds = table.numbers('seconds');
    const most = largest(seconds);
    const decimals = columnDecimals(seconds);
    const rates = table.numbers('events_per_second').map((hertz) => hertz / 1000);
    const rateDecimals = columnDecimals(rates);
    const number = (value: number, digits: number) =>
      Number.isFinite(value) ? fixed(value, digits) : '–';
    return [
      {
        id: 'name',
        title: 'Dataset',
        align: 'left',
        order: name,
        cell: (row) => (
          <span class="dataset-name" title={name(row)}>
            <Swatch colour={colourOf(name(row))} />
            <span>{name(row)}</span>
          </span>
        ),
      },
      {
        id: 'seconds',
        title: 'core-s in process()',
        align: 'left',
        order: (row) => seconds[row] ?? Number.NaN,
        cell: (row) => (
          <span class="number">
            <span
              class="cell-bar"
              style={{ width: `${((seconds[row] ?? 0) / most) * barPixels}px` }}
            />
            <span class="muted">
              {' '}
              {number(seconds[row] ?? Number.NaN, decimals)} · {percent(table.number('share', row))}
            </span>
          </span>
        ),
      },
      {
        id: 'chunks',
        title: 'chunks',
        align: 'right',
        order: (row) => table.number('chunks', row),
        cell: (row) => count(table.number('chunks', row)),
      },
      {
        id: 'rate',
        title: 'kHz per core',
        align: 'right',
        minor: true,
        order: (row) => rates[row] ?? Number.NaN,
        cell: (row) => number(rates[row] ?? Number.NaN, rateDecimals),
        explain: () => 'events ÷ time in process(): the rate of one core while it is in process()',
      },
    ];
  }, [table, whole.table]);
  const missing = noteText(answer, 'missing');
  return (
    <Panel
      title="process() time by dataset"
      subtitle={noteText(answer, 'selection') || 'outside process(): no dataset'}
      answers={[answer]}
      className="span-12 half"
      data={table}
      testId="datasets"
    >
      {table && table.rows > 0 ? (
        <DataTable
          columns={columns}
          rows={table.rows}
          label="process() time by dataset"
          sortedBy="seconds"
          descending
          maxHeight={260}
          onRow={(row) => toggleName('datasets', table.text('name', row) ?? '')}
        />
      ) : (
        <p class="missing">{missing || (table ? 'no chunk in the selection' : '\u00a0')}</p>
      )}
    </Panel>
  );
}
