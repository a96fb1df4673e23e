import { dateTime, duration } from '../charts/format';
import { activeRun, activeRunId, closeRun, type OpenRun, openRuns, showRun } from '../state/runs';
import { Chevron } from '../views/common/Chevron';
import { useMenu } from '../views/common/useMenu';

/** When the run began, by the scheduler's clock. */
const startText = (run: OpenRun): string =>
  dateTime(Number.isFinite(run.startedNaive) ? run.startedNaive : run.startedAt);

/** The run that is shown, and the list of those that are open. */
export function RunMenu() {
  const menu = useMenu<HTMLDivElement>();
  const run = activeRun.value;
  if (!run) return null;
  return (
    <div class="run-menu" ref={menu.ref}>
      <button
        type="button"
        class="button run-chip"
        data-testid="run-chip"
        aria-haspopup="true"
        aria-expanded={menu.shown}
        title={`${run.title} ${startText(run)}`}
        onClick={menu.toggle}
      >
        <b>{run.title}</b>
        <span class="muted">{startText(run)}</span>
        <Chevron />
      </button>
      {menu.shown ? (
        <div class="menu" data-testid="run-menu">
          {openRuns.value.map((entry) => (
            <div class="menu-row" key={entry.id}>
              <button
                type="button"
                class="menu-item"
                aria-current={entry.id === activeRunId.value}
                onClick={() => {
                  showRun(entry.id);
                  menu.close();
                }}
              >
                <span class="menu-mark" aria-hidden="true">
                  {entry.id === activeRunId.value ? '✓' : ''}
                </span>
                <b>{entry.title}</b>
                <span class="muted">
                  {startText(entry)} {Number.isFinite(entry.elapsed) ? `· ${duration(entry.elapsed)}` : ''}
                </span>
              </button>
              <button
                type="button"
                class="menu-close"
                aria-label={`Close ${entry.title}`}
                title="Close this run"
                onClick={() => void closeRun(entry.id)}
              >
                ✕
              </button>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}
