import { signal } from '@preact/signals';
import { rowsOf } from '../../engine/table';
import { BarRows } from '../../plot/BarRows';
import { bytes, percent, significant } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { absentText } from '../../state/runs';
import { selection, toggleName } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { noteText, Panel } from '../common/Panel';
import { Choice } from '../common/Segmented';

const groupings = [
  { id: 'dataset', title: 'Dataset' },
  { id: 'host', title: 'Host' },
  { id: 'site', title: 'Site' },
] as const;

const grouping = signal<(typeof groupings)[number]['id']>('dataset');

const amount = (value: number) => (Number.isFinite(value) ? bytes(value) : absentText.value);

/**
 * What is in the trees, what of it the branches hold that were read, and how many bytes were read
 * for that. Which of those branches the analysis uses is not recorded.
 */
export function InputPanel() {
  const by = grouping.value;
  const answer = useAnswer('input', selection.value, { by });
  const { table } = answer;
  const rows = rowsOf(table);
  return (
    <Panel
      title="Bytes stored and read"
      subtitle={noteText(answer, 'selection')}
      answer={answer}
      name="input"
      className="span-4"
      testId="input"
      actions={<Choice name="input-by" label="By" options={groupings} of={grouping} />}
    >
      {rows.some((row) => row.files > 0) ? (
        <>
          <BarRows
            rows={rows.map((row, place) => ({
              id: place === 0 ? 'all' : row.name || 'none',
              label: place === 0 ? <b>{row.name}</b> : row.name || 'not recorded',
              value: row.tree_bytes,
              colour: '--surface-2',
              within: [
                { value: row.read_bytes, colour: '--input-read' },
                { value: row.used_bytes, colour: '--act-cpu' },
              ],
              texts: [
                bytes(row.used_bytes),
                Number.isFinite(row.times_read) ? `× ${significant(row.times_read)}` : '–',
              ],
              tooltip: () =>
                `In the trees ${amount(row.tree_bytes)}, in the branches read ${amount(row.used_bytes)} (${percent(row.used_share)}), read in all ${amount(row.read_bytes)} by ${row.chunks} chunks of ${row.files} files`,
              onClick: place === 0 ? undefined : () => toggleName(`${group[by]}s`, row.name),
            }))}
            heads={['branches read', 'times']}
            label="Bytes stored in the trees, in the branches read, and read in all"
            testId="input"
            maxHeight={190}
          />
          <Legend
            entries={[
              { id: 'used', label: 'branches read', colour: '--act-cpu' },
              { id: 'read', label: 'read in all', colour: '--input-read' },
              ...(rows.some((row) => row.tree_bytes > 0)
                ? [{ id: 'tree', label: 'in the trees', colour: '--surface-2' }]
                : []),
            ]}
          />
        </>
      ) : (
        <p class="missing">{noteText(answer, 'missing') || '\u00a0'}</p>
      )}
    </Panel>
  );
}

/** What a click narrows to; a site stands for its hosts. */
const group = { dataset: 'dataset', host: 'host', site: 'host' } as const;
