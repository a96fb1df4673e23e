import { signal } from '@preact/signals';
import { datasetColours } from '../../domain/datasetColours';
import { rowsOf } from '../../engine/table';
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
  const rows = rowsOf(table)
    .filter((row) => Number.isFinite(row.bytes))
    .sort((a, b) => b.bytes - a.bytes);
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
          rows={rows.map(({ name, ...row }) => ({
            id: name || 'none',
            label: name || 'not recorded',
            value: row.bytes,
            colour: colourOf(name),
            texts: [
              bytes(row.bytes),
              Number.isFinite(row.bytes_share) ? percent(row.bytes_share) : '–',
              `${bytes(row.bytes_per_second)}/s`,
            ],
            // a site stands for its hosts
            onClick: () => toggleName(by === 'sites' ? 'hosts' : by, name),
          }))}
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
