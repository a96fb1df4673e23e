import { count } from '../../charts/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { noteText, Panel } from '../common/Panel';
import { decorator } from '../common/recording';
import { ChunkTable } from './ChunkTable';
import { DistributionPanel } from './DistributionPanel';
import { GroupPanel } from './GroupPanel';
import { ScatterPanel } from './ScatterPanel';
import { SectionsPanel } from './SectionsPanel';
import { SizesPanel } from './SizesPanel';
import { TailPanel } from './TailPanel';

/** Which dataset, file or host is slow, and which chunk? */
export function ChunksView() {
  const run = activeRunId.value;
  const chunks = useAnswer(run, 'chunks', selection.value);
  const whole = useAnswer(run, 'datasets');
  const empty = useEmptyFilter();
  const total = chunks.table?.notes.chunks_total;
  if (chunks.table?.rows === 0 && noteText(chunks, 'missing')) {
    return (
      <section class="panel" data-testid="view-chunks">
        <Absent
          centered
          title="No chunks in this bundle"
          reason={noteText(chunks, 'missing')}
          snippet={decorator}
          addable
        />
      </section>
    );
  }
  if (empty) {
    return (
      <div data-testid="view-chunks">
        <EmptyFilter centered />
      </div>
    );
  }
  return (
    <div class="grid" data-testid="view-chunks">
      <div class="stack span-5">
        <DistributionPanel />
        <TailPanel />
      </div>
      <ScatterPanel />
      <GroupPanel />
      <SectionsPanel />
      <SizesPanel />
      <Panel
        title="Chunks"
        className="span-12"
        testId="chunk-list"
        subtitle={
          noteText(chunks, 'selection') ||
          (chunks.table
            ? `${count(chunks.table.rows)}${isFiltered.value && typeof total === 'number' ? ` of ${count(total)}` : ''}, longest first`
            : '')
        }
        answers={[chunks]}
        twin={chunks.table}
      >
        {chunks.table ? <ChunkTable table={chunks.table} whole={whole.table} /> : null}
      </Panel>
    </div>
  );
}
