import { opening } from '../state/opening';
import { acceptedPartial, activeRun, activeRunId } from '../state/runs';
import { view } from '../state/view';
import { viewOf } from '../views/views';
import { Failure } from './Failure';
import { FindingStrip } from './FindingStrip';
import { NoticeStrip } from './NoticeStrip';
import { PartialCard } from './PartialCard';
import { PartialStrip } from './PartialStrip';
import { ViewGuard } from './ViewGuard';

/** The view of the active run, with what has to be said before it. */
export function Stage() {
  const run = activeRun.value;
  const View = viewOf(view.value);
  const hidden =
    run !== undefined && run.partialNotes.length > 0 && !acceptedPartial.value.has(run.id);
  return (
    <div class="view" id="view" role="tabpanel" aria-labelledby={`tab-${view.value}`}>
      {opening.value.kind === 'failed' ? (
        <Failure
          what={opening.value.what}
          sentences={opening.value.sentences}
          way={opening.value.way}
        />
      ) : null}
      {run && hidden ? (
        // one card at a time: what has just failed first
        opening.value.kind === 'failed' ? null : (
          <PartialCard run={run} />
        )
      ) : (
        <>
          <NoticeStrip />
          <PartialStrip />
          <FindingStrip />
          <ViewGuard key={`${activeRunId.value} ${view.value}`}>
            <View />
          </ViewGuard>
        </>
      )}
    </div>
  );
}
