import { fullSentence } from '../../domain/sentenceCase';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { noteText, Panel } from '../common/Panel';
import { BranchPanel } from './BranchPanel';
import { BytesByPanel } from './BytesByPanel';
import { ChunkBytesPanel } from './ChunkBytesPanel';
import { CountersPanel } from './CountersPanel';
import { FileHistogram } from './FileHistogram';
import { FileTable } from './FileTable';
import { RatePanel } from './RatePanel';

/** How much of the input is read? */
export function AccessView() {
  const run = activeRunId.value;
  const access = useAnswer(run, 'access', selection.value);
  const branches = useAnswer(run, 'branches', selection.value);
  const empty = useEmptyFilter();
  const missing = [noteText(access, 'missing'), noteText(branches, 'missing')].filter(Boolean);
  if (access.table?.rows === 0 && branches.table?.rows === 0 && missing.length > 0) {
    return (
      <section class="panel" data-testid="view-access">
        <Absent
          centered
          title="Data access was not recorded"
          reason={missing.map(fullSentence).join(' ')}
          addable
        />
      </section>
    );
  }
  if (empty) {
    return (
      <div data-testid="view-access">
        <EmptyFilter centered />
      </div>
    );
  }
  return (
    <div class="grid grid-even" data-testid="view-access">
      <FileHistogram
        question="compression_histogram"
        title="Compression"
        xTitle="compressed / uncompressed"
        percents={false}
      />
      <FileHistogram
        question="branch_histogram"
        title="Branches read"
        xTitle="% of branches"
        percents
      />
      <FileHistogram
        question="access_histogram"
        title="Bytes read"
        xTitle="% of the tree's bytes"
        percents
      />
      <CountersPanel />
      <div class="stack span-8">
        <ChunkBytesPanel />
        <RatePanel />
        <BytesByPanel />
      </div>
      <BranchPanel />
      <Panel
        title="Files"
        subtitle={
          noteText(access, 'selection') || 'facts of the whole file, never summed over its chunks'
        }
        answers={[access]}
        twin={access.table}
        className="span-12"
      >
        {access.table && access.table.rows > 0 ? <FileTable table={access.table} /> : null}
        {access.table?.rows === 0 ? (
          <p class="missing">{noteText(access, 'missing') || 'no file in the selection'}</p>
        ) : null}
      </Panel>
    </div>
  );
}
