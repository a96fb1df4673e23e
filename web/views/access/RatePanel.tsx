import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useDatasets } from '../../domain/datasetColours';
import { rowColour, type StackBy, stackOf } from '../../domain/stack';
import type { Table } from '../../engine/table';
import type { Layer } from '../../plot/drawTrack';
import { inMegabytes, significant } from '../../plot/format';
import { Legend } from '../../plot/Legend';
import { MiniTrack } from '../../plot/Track';
import { createTimeAxis } from '../../plot/timeAxis';
import { findingsOf } from '../../state/finding';
import { activeRunId } from '../../state/runs';
import { timeSelection, untimedSelection } from '../../state/selection';
import { brushTime } from '../../state/undo';
import { useAnswer } from '../../state/useAnswer';
import { noteText, Panel } from '../common/Panel';
import { shortPath } from '../common/PathText';
import { Choice } from '../common/Segmented';

const groupings = [
  { id: 'host', title: 'Host' },
  { id: 'dataset', title: 'Dataset' },
  { id: 'file', title: 'File' },
  { id: 'compression', title: 'Compression' },
] as const satisfies readonly { id: StackBy; title: string }[];

/** What was chosen; before that the hosts, where there are several. */
const grouping = signal<StackBy | undefined>(undefined);

const bins = 240;
/** As many as colours tell apart; the others are one more. */
const most: Record<StackBy, number> = { host: 5, dataset: 9, file: 8, compression: 8 };

/** [MB/s] What a host that a finding blames gives all chunks together. */
function useLimit(hosts: Table<'hosts'> | undefined): number | undefined {
  const findings = useAnswer('findings').table;
  const found = findings && findingsOf(findings).find(({ id }) => id === 'bandwidth-limited');
  const row = hosts?.rowOf('name', found?.selection.hosts?.[0] ?? '') ?? -1;
  if (!found || !hosts || row < 0) return undefined;
  return inMegabytes(hosts.number('bytes_per_second_together', row));
}

/** What the chunks read over time, one group upon the other. */
export function RatePanel() {
  const run = activeRunId.value;
  const hosts = useAnswer('hosts');
  const by = grouping.value ?? ((hosts.table?.rows ?? 0) > 1 ? 'host' : 'dataset');
  const answer = useAnswer('concurrency', untimedSelection.value, {
    bins,
    by,
    most: most[by],
  });
  const { colourOf } = useDatasets(run);
  const { table } = answer;
  const limit = useLimit(hosts.table);
  const shown = useMemo(() => {
    if (!table?.has(by) || !table.numbers('bytes_per_second').some(Number.isFinite)) return;
    return stackOf(
      table,
      'bytes_per_second',
      by,
      (name, row) => (by === 'dataset' ? colourOf(name) : rowColour(by, row)),
      1e-6,
    );
  }, [table, by, colourOf]);
  const layers = useMemo((): readonly Layer[] | undefined => {
    const rule = limit && ({ kind: 'rule', y: limit, colour: '--bad', dashed: true } as const);
    return rule && shown ? [...shown.layers, rule] : shown?.layers;
  }, [shown, limit]);
  const axis = useMemo(
    () => createTimeAxis(Number(table?.notes.t0 ?? 0), Number(table?.notes.t1 ?? 1)),
    [table],
  );
  return (
    <Panel
      title="Data rate"
      subtitle={
        noteText(answer, 'selection') ||
        (limit
          ? `MB/s; dashed: ${significant(limit)}, the limit`
          : 'MB/s inside process(), stacked')
      }
      answer={answer}
      name="data-rate"
      className="span-7"
      testId="data-rate"
      actions={<Choice name="rate-by" label="By" options={groupings} value={by} of={grouping} />}
    >
      {shown ? (
        <MiniTrack
          over={axis.extent.value}
          unit="s"
          brush={{ axis, selected: timeSelection.value, onSelect: brushTime }}
          layers={layers ?? shown.layers}
          height={220}
          label={`Data rate by ${by}: ${shown.legend.map(({ label }) => label).join(', ')}; up to ${significant(shown.peak)} MB/s`}
          testId="data-rate-chart"
        >
          <Legend
            entries={shown.legend.map((entry) => ({ ...entry, label: shortPath(entry.label) }))}
          />
        </MiniTrack>
      ) : (
        <p class="missing">{table ? 'not collected: the chunks carry no bytes' : '\u00a0'}</p>
      )}
    </Panel>
  );
}
