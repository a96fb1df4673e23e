import { count } from '../../charts/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { isFiltered, selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { noteText, Panel } from '../common/Panel';
import { ChunkTable } from './ChunkTable';
import { GroupPanel } from './GroupPanel';

/** Which dataset, file or host is slow, and which chunk? */
export function ChunksView() {
  const run = activeRunId.value;
  const chunks = useAnswer(run, 'chunks', selection.value);
  const whole = useAnswer(run, 'datasets');
  if (chunks.table?.rows === 0 && noteText(chunks, 'missing')) {
    return (
      <section class="panel" data-testid="view-chunks">
        <Absent
          centered
          title="No chunks in this bundle"
          reason={noteText(chunks, 'missing')}
          snippet={'@track_metrics\ndef process(self, events): ...'}
        />
      </section>
    );
  }
  return (
    <div class="stack" data-testid="view-chunks">
      <GroupPanel />
      <Panel
        title="Chunks"
        subtitle={
          noteText(chunks, 'selection') ||
          (chunks.table
            ? `${count(chunks.table.rows)}${isFiltered.value ? ' that overlap the selection' : ''}, longest first`
            : '')
        }
        answers={[chunks]}
      >
        {chunks.table ? <ChunkTable table={chunks.table} whole={whole.table} /> : null}
      </Panel>
    </div>
  );
}
