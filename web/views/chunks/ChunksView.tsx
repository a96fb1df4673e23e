import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { noteText } from '../common/Panel';
import { decorator } from '../common/recording';
import { ChunkListPanel } from './ChunkListPanel';
import { DistributionPanel } from './DistributionPanel';
import { GroupPanel } from './GroupPanel';
import { ScatterPanel } from './ScatterPanel';
import { SectionsPanel } from './SectionsPanel';
import { SizesPanel } from './SizesPanel';
import { TailPanel } from './TailPanel';
import { WhyPanel } from './WhyPanel';

/** Which dataset, file or host is slow, and which chunk? */
export function ChunksView() {
  const run = activeRunId.value;
  const columns = useAnswer(run, 'chunk_columns');
  const empty = useEmptyFilter();
  if (noteText(columns, 'missing')) {
    return (
      <section class="panel" data-testid="view-chunks">
        <Absent
          centered
          title="No chunks in this bundle"
          reason={noteText(columns, 'missing')}
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
    <div class="grid grid-even" data-testid="view-chunks">
      <div class="stack span-5">
        <DistributionPanel />
        <TailPanel />
      </div>
      <ScatterPanel />
      <WhyPanel />
      <GroupPanel />
      <SectionsPanel />
      <SizesPanel />
      <ChunkListPanel />
    </div>
  );
}
