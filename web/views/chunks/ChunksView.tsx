import { listed } from '../../plot/format';
import { findingsOf, firstOfChunks, isMarked, markedSelection } from '../../state/finding';
import { isFiltered } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { Grid } from '../../ui/sight';
import { AbsentView } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { noteText, Panel } from '../common/Panel';
import { ViewVerdict } from '../common/ViewVerdict';
import { WhyTable } from '../common/WhyTable';
import { ChunkListPanel } from './ChunkListPanel';
import { ChunkPanel } from './ChunkPanel';
import { DistributionPanel } from './DistributionPanel';
import { GroupPanel } from './GroupPanel';
import { MemoryPanel } from './MemoryPanel';
import { ScatterPanel } from './ScatterPanel';
import { SectionMatrixPanel } from './SectionMatrixPanel';
import { SizesPanel } from './SizesPanel';
import { TailPanel } from './TailPanel';

/** Which dataset, file or host is slow, and which chunk? */
export function ChunksView() {
  const columns = useAnswer('chunk_columns');
  const findings = useAnswer('findings');
  const input = useAnswer('input');
  const empty = useEmptyFilter();
  if (noteText(columns, 'missing')) {
    return (
      <AbsentView
        testId="view-compute"
        title="No chunks in this bundle"
        reason={noteText(columns, 'missing')}
        recordable
        addable
      />
    );
  }
  if (empty) {
    return (
      <div data-testid="view-compute">
        <EmptyFilter centered />
      </div>
    );
  }
  const worst = findings.table && firstOfChunks(findingsOf(findings.table));
  return (
    <div class="stack" data-testid="view-compute">
      <ViewVerdict
        text={
          worst
            ? `${worst.title}.`
            : findings.table
              ? 'No chunk, file, host or dataset stands out.'
              : ''
        }
        limits={worst ? worst.evidence : noteText(input, 'waiting')}
        testId="compute-verdict"
      />
      <Grid even>
        <ScatterPanel finding={worst?.id} />
        <ChunkPanel />
        <WhyPanel />
        <SectionMatrixPanel />
        <GroupPanel />
        <div class="stack span-5">
          <DistributionPanel />
          <TailPanel />
        </div>
        <SizesPanel />
        <MemoryPanel />
        <ChunkListPanel />
      </Grid>
    </div>
  );
}

/** Why these? Once some chunks are selected, or a finding is about some: what sets them apart from the others. */
function WhyPanel() {
  const some = isFiltered.value || isMarked.value;
  const answer = useAnswer(some ? 'why' : '', markedSelection.value);
  if (!some) return null;
  return (
    <Panel
      title="What do these chunks share?"
      subtitle={listed([
        'selected chunks against all others; grey: not significant',
        noteText(answer, 'selection'),
      ])}
      answer={answer}
      className="span-12"
      testId="why"
    >
      <WhyTable table={answer.table} most={12} />
    </Panel>
  );
}
