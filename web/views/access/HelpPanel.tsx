import { rowsOf } from '../../engine/table';
import type { Finding } from '../../state/finding';
import { activeRun } from '../../state/runs';
import { useAnswer } from '../../state/useAnswer';
import { FixToTry } from '../common/FixToTry';
import { Panel } from '../common/Panel';
import { nearby, useWhatIf, WhatIfRows } from '../common/WhatIfRows';

/** What the Summary offers for the same finding, and what other chunks or cores would change. */
export function HelpPanel({ finding }: { finding: Finding }) {
  const advice = rowsOf(useAnswer('advice').table).filter(({ finding: id }) => id === finding.id);
  const whatIf = useWhatIf();
  const [was, ...all] = rowsOf(whatIf.table);
  const run = activeRun.value;
  if (!was || !run) return null;
  return (
    <Panel title="What would help" subtitle="simulated" answer={whatIf} testId="read-help">
      {advice.length > 0 ? <FixToTry advice={advice} /> : null}
      <WhatIfRows brief rows={[was, ...nearby(was, all)]} happened={run.elapsed} />
    </Panel>
  );
}
