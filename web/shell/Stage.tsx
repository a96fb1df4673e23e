import { opening } from '../state/opening';
import { acceptedPartial, activeRun, activeRunId, type OpenRun, openRuns } from '../state/runs';
import { type Tab, tabOf, view } from '../state/view';
import { later } from '../ui/later';
import { Absent } from '../views/common/Absent';
import { Segmented } from '../views/common/Segmented';
import { AnnotationStrips } from './AnnotationStrips';
import { Failure } from './Failure';
import { FindingStrip } from './FindingStrip';
import { LiveStrip } from './LiveStrip';
import { NoticeStrip } from './NoticeStrip';
import { PartialStrip } from './PartialStrip';
import { ViewGuard } from './ViewGuard';

const PartialCard = later(async () => (await import('./PartialCard')).PartialCard);

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

const useNothing = () => undefined;

/** The view of a tab that was chosen, or that fits what is open, and the switch to those beside it. */
function TabView({ tab, run }: { tab: Tab; run: OpenRun | undefined }) {
  const first = (tab.useFirst ?? useNothing)();
  const of = (wanted: string | undefined) => tab.views.find(({ id }) => id === wanted);
  const shown = of(view.value) ?? of(first) ?? (tab.useFirst ? undefined : tab.views[0]);
  if (!shown) return <div class="panel panel-waiting" />;
  const { load: View, needs } = shown;
  const others = tab.views.filter(
    (one) => one === shown || one.needs.runs <= openRuns.value.length,
  );
  return (
    <div class="tab-view">
      {others.length > 1 ? (
        <div class="view-switch">
          <Segmented
            name="switch"
            label={`${tab.title}: what is shown`}
            options={others}
            value={shown.id}
            onChange={(id) => {
              view.value = id;
            }}
          />
        </div>
      ) : null}
      {run?.digest === 1 && needs.recording ? <DigestCard run={run} /> : <View key={shown.id} />}
    </div>
  );
}

/** The view of the active run, with what has to be said before it. */
export function Stage() {
  const run = activeRun.value;
  const tab = tabOf(view.value);
  const hidden =
    run !== undefined && run.partialNotes.length > 0 && !acceptedPartial.value.has(run.id);
  return (
    <div class="view" id="view" role="tabpanel" aria-labelledby={`tab-${tab.id}`}>
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
          <LiveStrip />
          <NoticeStrip />
          <PartialStrip />
          <FindingStrip />
          <AnnotationStrips />
          <ViewGuard key={`${activeRunId.value} ${tab.id}`}>
            <TabView tab={tab} run={run} />
          </ViewGuard>
        </>
      )}
    </div>
  );
}
