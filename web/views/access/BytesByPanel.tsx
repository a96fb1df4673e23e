import { signal } from '@preact/signals';
import { datasetColours } from '../../domain/datasetColours';
import { BarRows } from '../../plot/BarRows';
import { bytes, percent } from '../../plot/format';
import { useAnswer } from '../../state/answers';
import { into } from '../../state/into';
import { activeRunId } from '../../state/runs';
import { selection, toggleName } from '../../state/selection';
import { noteText, Panel } from '../common/Panel';
import { Segmented } from '../common/Segmented';

const groupings = [
  { id: 'datasets', title: 'Dataset' },
  { id: 'hosts', title: 'Host' },
  { id: 'sites', title: 'Site' },
] as const;

const grouping = signal<(typeof groupings)[number]['id']>('datasets');

/** Who the bytes belong to. */
export function BytesByPanel() {
  const by = grouping.value;
  const answer = useAnswer(activeRunId.value, by, selection.value);
  const whole = useAnswer(activeRunId.value, 'datasets');
  const table = answer.table?.question === by ? answer.table : undefined;
  const colourOf = by === 'datasets' && whole.table ? datasetColours(whole.table) : () => '--c6';
  const rows = Array.from({ length: table?.rows ?? 0 }, (_, row) => row)
    .filter((row) => Number.isFinite(table?.number('bytes', row)))
    .sort((a, b) => (table?.number('bytes', b) ?? 0) - (table?.number('bytes', a) ?? 0) || a - b);
  const total = rows.reduce((sum, row) => sum + (table?.number('bytes', row) ?? 0), 0);
  const most = rows[0] === undefined ? 0 : (table?.number('bytes', rows[0]) ?? 0);
  return (
    <Panel
      title="Bytes by"
      subtitle={noteText(answer, 'selection') || 'read inside process()'}
      answers={[answer]}
      twin={table}
      name="bytes-by"
      testId="bytes-by"
      actions={
        <Segmented
          name="bytes-group"
          label="By"
          options={groupings}
          value={by}
          onChange={into(grouping)}
        />
      }
    >
      {table && rows.length > 0 ? (
        <BarRows
          rows={rows.map((row) => {
            const name = table.text('name', row) ?? '';
            const value = table.number('bytes', row);
            return {
              id: name || 'none',
              label: name || 'not recorded',
              share: most > 0 ? value / most : 0,
              colour: colourOf(name),
              texts: [
                bytes(value),
                total > 0 ? percent(value / total) : '–',
                `${bytes(table.number('bytes_per_second', row))}/s`,
              ],
              // a site stands for its hosts
              onClick: () => toggleName(by === 'sites' ? 'hosts' : by, name),
            };
          })}
          heads={['read', 'share', 'per core']}
          label="Bytes read"
          testId="bytes-by"
          maxHeight={260}
        />
      ) : (
        <p class="missing">{table ? 'not collected: the chunks carry no bytes' : '\u00a0'}</p>
      )}
    </Panel>
  );
}
