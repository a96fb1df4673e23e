import { sentenceCase } from '../domain/sentenceCase';
import { notice } from '../state/notice';
import { acceptedPartial, activeRun, activeRunId, type OpenRun, openRuns } from '../state/runs';
import { put, setter } from '../state/setter';
import { opening } from '../state/underWay';
import { type Tab, tabOf, view } from '../state/view';
import { Button, Close } from '../ui/Button';
import { later } from '../ui/later';
import { Sign } from '../ui/Sign';
import { AbsentView } from '../views/common/Absent';
import { Segmented } from '../views/common/Segmented';
import { AnnotationStrips } from './AnnotationStrips';
import { Failure } from './Failure';
import { LiveStrip } from './LiveStrip';
import { Strip } from './Strip';
import { ViewGuard } from './ViewGuard';

const PartialCard = later(async () => (await import('./PartialCard')).PartialCard);

/** In place of a view that a digest holds too little for. */
function DigestCard({ run }: { run: OpenRun }) {
  return (
    <AbsentView
      testId="digest"
      title={`${run.title} is a digest`}
      reason="It keeps the numbers that History compares over many runs; this view needs the recording of the run."
    />
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
            onChange={setter(view)}
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
  const fills = !hidden && tab.views[0].fills;
  return (
    <div
      class={fills ? 'view view-filled' : 'view'}
      id="view"
      role="tabpanel"
      aria-labelledby={`tab-${tab.id}`}
    >
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
          <AnnotationStrips />
          <ViewGuard key={`${activeRunId.value} ${tab.id}`}>
            <TabView tab={tab} run={run} />
          </ViewGuard>
        </>
      )}
    </div>
  );
}

/** Over every view of a run that was read in part: its numbers are of that part. */
function PartialStrip() {
  const partialNotes = activeRun.value?.partialNotes ?? [];
  const [first] = partialNotes;
  if (!first) return null;
  return (
    <Strip
      label="Partial data"
      testId="partial"
      class="strip-warn"
      sign={<Sign of="warn" />}
      title="Partial"
      text={`${first.file}: ${sentenceCase(first.message)}${partialNotes.length > 1 ? `, and ${partialNotes.length - 1} more` : ''}`}
    >
      <Button class="link" onClick={put(view, 'recording')}>
        Recording ›
      </Button>
    </Strip>
  );
}

/**
 * A word about what was just opened: that it is open already, or that it may belong to another run.
 */
function NoticeStrip() {
  const now = notice.value;
  if (!now) return null;
  const close = put(notice, undefined);
  const { action } = now;
  return (
    <Strip label="Notice" testId="notice" role="status" title={now.title} text={now.text}>
      {action ? (
        <Button
          data-testid="notice-act"
          onClick={() => {
            close();
            action.act();
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <Close
        class="button button-icon"
        aria-label="Dismiss the notice"
        data-testid="notice-close"
        onClick={close}
      />
    </Strip>
  );
}
