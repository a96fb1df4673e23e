import { opening } from '../state/opening';
import { acceptedPartial, activeRun, activeRunId, type OpenRun } from '../state/runs';
import { view, viewOf } from '../state/view';
import { Absent } from '../views/common/Absent';
import { AnnotationStrips } from './AnnotationStrips';
import { Failure } from './Failure';
import { FindingStrip } from './FindingStrip';
import { NoticeStrip } from './NoticeStrip';
import { PartialCard } from './PartialCard';
import { PartialStrip } from './PartialStrip';
import { ViewGuard } from './ViewGuard';

/** In place of a view that a digest holds too little for. */
function DigestCard({ run }: { run: OpenRun }) {
  return (
    <section class="panel" data-testid="digest">
      <Absent
        centered
        title={`${run.title} is a digest`}
        reason="It keeps the numbers that History compares over many runs; this view needs the recording of the run."
      />
    </section>
  );
}

/** The view of the active run, with what has to be said before it. */
export function Stage() {
  const run = activeRun.value;
  const { load: View, needs } = viewOf(view.value);
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
          <AnnotationStrips />
          <ViewGuard key={`${activeRunId.value} ${view.value}`}>
            {run?.digest === 1 && needs.recording ? <DigestCard run={run} /> : <View />}
          </ViewGuard>
        </>
      )}
    </div>
  );
}
