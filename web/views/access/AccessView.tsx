import { count } from '../../charts/format';
import { useAnswer } from '../../state/answers';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { Absent } from '../common/Absent';
import { EmptyFilter, useEmptyFilter } from '../common/EmptyFilter';
import { noteText, Panel } from '../common/Panel';
import { BranchTable } from './BranchTable';
import { FileTable } from './FileTable';

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
        <Absent centered title="Data access was not recorded" reason={missing.join('. ')} addable />
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
    <div class="grid" data-testid="view-access">
      <Panel
        title="Files"
        subtitle={noteText(access, 'selection') || 'facts of the whole file, never summed over its chunks'}
        answers={[access]}
        twin={access.table}
        className="span-8"
      >
        {access.table && access.table.rows > 0 ? <FileTable table={access.table} /> : null}
        {access.table?.rows === 0 ? (
          <p class="missing">{noteText(access, 'missing') || 'no file in the selection'}</p>
        ) : null}
      </Panel>
      <Panel
        title="Branches"
        subtitle={
          noteText(branches, 'selection') ||
          (branches.table ? `${count(branches.table.rows)} that some chunk read` : '')
        }
        answers={[branches]}
        twin={branches.table}
        className="span-4"
      >
        {branches.table && branches.table.rows > 0 ? <BranchTable table={branches.table} /> : null}
        {branches.table?.rows === 0 ? (
          <p class="missing">{noteText(branches, 'missing') || 'no branch in the selection'}</p>
        ) : null}
      </Panel>
    </div>
  );
}
