import { rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { bytes, count, megabytes } from '../../plot/format';
import { selection, toggleName } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { noteText, Panel } from '../common/Panel';

/** What each host gave all chunks together, and one chunk. */
export function HostsPanel() {
  const answer = useAnswer('hosts', selection.value);
  const rows = rowsOf(answer.table).filter(({ bytes: read }) => read > 0);
  return (
    <Panel
      title="Hosts"
      subtitle={noteText(answer, 'selection') || 'MB/s of all chunks together, from first to last'}
      answer={answer}
      testId="hosts"
    >
      {rows.length > 0 ? (
        <BarRows
          rows={rows.map((row) => ({
            id: row.name || 'none',
            label: row.name || 'not recorded',
            value: row.bytes_per_second_together,
            colour: '--ph-process',
            texts: [
              megabytes(row.bytes_per_second_together),
              megabytes(row.bytes_per_second),
              bytes(row.bytes),
              count(row.chunks),
            ],
            onClick: () => toggleName('hosts', row.name),
          }))}
          heads={['together', 'a chunk', 'read', 'chunks']}
          label="Read rate of each host"
          testId="host"
          maxHeight={150}
        />
      ) : (
        <p class="missing">
          {answer.table ? 'not collected: the chunks carry no bytes' : '\u00a0'}
        </p>
      )}
    </Panel>
  );
}
