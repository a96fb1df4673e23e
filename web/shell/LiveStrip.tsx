import { useEffect, useMemo, useState } from 'preact/hooks';
import { noteNumber } from '../engine/table';
import { duration } from '../plot/format';
import { sandboxed } from '../state/embed';
import {
  following,
  followRuns,
  leaveFollowing,
  notifyOf,
  pauseFollowing,
} from '../state/following';
import { activeRunId } from '../state/runs';
import { useAnswer } from '../state/useAnswer';
import { Button } from '../ui/Button';
import { useKeys } from '../ui/keys';
import { noteText } from '../views/common/Panel';

/** [s] The index of a recording is written once a second: from then on silence is worth a word. */
const silence = 5;

/**
 * Whether the browser can be asked to notify; in the frame of a notebook it cannot. The permission
 * is another process's, and the page stands still until that answers: 100 ms on a busy machine.
 */
const mayNotify = (): boolean =>
  'Notification' in window && Notification.permission !== 'denied' && !sandboxed;

/**
 * Over every view of a run that is being recorded: how far it is, and how old what is shown is. When
 * the recording ends it stays, so that nothing moves.
 */
export function LiveStrip() {
  const run = activeRunId.value;
  const now = run === undefined ? undefined : following.value.get(run);
  const progress = useAnswer(now ? 'progress' : '');
  const goesOn = now !== undefined && !now.hasEnded;
  const age = useAge(goesOn ? now.news : undefined);
  const offersNews = useMemo(() => goesOn && mayNotify(), [goesOn, now?.notifies]);
  const act = () => {
    if (run === undefined || !now) return;
    if (goesOn) pauseFollowing(run, !now.isPaused);
    else leaveFollowing(run);
  };
  useKeys('page', { l: act }, now !== undefined);
  useEffect(followRuns, []);
  if (run === undefined || !now) return null;
  const since = noteNumber(progress.table, 'since_begin');
  return (
    <section class="strip" aria-label="Live" data-testid="live">
      <span
        class={goesOn && !now.isPaused ? 'live-mark' : 'live-mark live-paused'}
        aria-hidden="true"
      />
      <b>{!goesOn ? 'Ended' : now.isPaused ? 'Paused' : 'Live'}</b>
      <span class="strip-text cut" role="status" data-testid="live-progress">
        {noteText(progress, 'headline')}
      </span>
      <span class="muted">
        {age > silence
          ? `no news for ${duration(age)}`
          : goesOn && Number.isFinite(since)
            ? `after ${duration(since)}`
            : ''}
      </span>
      <span class="strip-actions">
        {offersNews ? (
          <Button
            aria-pressed={now.notifies ?? false}
            disabled={now.notifies}
            data-testid="live-notify"
            onClick={() => void notifyOf(run)}
          >
            {now.notifies ? 'Will notify' : 'Notify me'}
          </Button>
        ) : null}
        <Button data-testid="live-pause" onClick={act}>
          {!goesOn ? 'Hide' : now.isPaused ? 'Follow' : 'Pause'} <kbd>L</kbd>
        </Button>
      </span>
    </section>
  );
}

/** Seconds since a moment, each second anew. */
function useAge(moment: number | undefined): number {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    if (moment === undefined) return undefined;
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [moment]);
  return moment === undefined ? 0 : Math.max(0, Math.round((now - moment) / 1000));
}
