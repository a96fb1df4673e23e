import { rowsOf } from '../../engine/table';
import { activeRun } from '../../state/runs';
import { put } from '../../state/setter';
import { view } from '../../state/view';
import { Button } from '../../ui/Button';
import { Panel } from '../common/Panel';
import { nearby, useWhatIf, WhatIfRows } from '../common/WhatIfRows';

/** The run with half or twice its cores or events per chunk. */
export function WhatIfHere() {
  const run = activeRun.value;
  const answer = useWhatIf();
  const [was, ...all] = rowsOf(answer.table);
  // its room is the neighbour's only when there is nothing to foretell (panels.css)
  if (!was || !run) return answer.table || answer.error ? null : <span hidden />;
  return (
    <Panel
      title="What if"
      subtitle={
        <span title="one change at a time, from the recorded chunks; hatched where they cannot tell">
          simulated
        </span>
      }
      answer={answer}
      testId="whatif-here"
      actions={
        <Button class="link" data-testid="whatif-more" onClick={put(view, 'scaling')}>
          Change…
        </Button>
      }
    >
      <WhatIfRows brief rows={[was, ...nearby(was, all)]} happened={run.elapsed} />
    </Panel>
  );
}
