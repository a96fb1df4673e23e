import { dateTime, duration } from '../charts/format';
import { activeRun, activeRunId, closeRun, type OpenRun, openRuns, showRun } from '../state/runs';
import { Chevron } from '../views/common/Chevron';
import { Menu } from '../views/common/Menu';
import { MenuItem } from '../views/common/MenuItem';

/** When the run began, by the scheduler's clock. */
const startText = (run: OpenRun): string =>
  dateTime(Number.isFinite(run.startedNaive) ? run.startedNaive : run.startedAt);

/** The run that is shown, and the list of those that are open. */
export function RunMenu() {
  const run = activeRun.value;
  if (!run) return null;
  return (
    <Menu
      button={
        <>
          <b>{run.title}</b>
          <span class="muted">{startText(run)}</span>
          <Chevron />
        </>
      }
      buttonClass="button run-chip"
      buttonTestId="run-chip"
      title={`${run.title} ${startText(run)}`}
      sheetTestId="run-menu"
    >
      {(close) =>
        openRuns.value.map((entry) => (
          <MenuItem
            key={entry.id}
            current={entry.id === activeRunId.value}
            onPress={() => {
              showRun(entry.id);
              close();
            }}
            beside={
              <button
                type="button"
                class="menu-close"
                aria-label={`Close ${entry.title}`}
                title="Close this run"
                onClick={() => void closeRun(entry.id)}
              >
                ✕
              </button>
            }
          >
            <span class="menu-mark" aria-hidden="true">
              {entry.id === activeRunId.value ? '✓' : ''}
            </span>
            <b>{entry.title}</b>
            <span class="muted">
              {startText(entry)} {Number.isFinite(entry.elapsed) ? `· ${duration(entry.elapsed)}` : ''}
            </span>
          </MenuItem>
        ))
      }
    </Menu>
  );
}
