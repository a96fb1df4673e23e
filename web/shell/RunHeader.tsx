import { useLayoutEffect, useRef } from 'preact/hooks';
import { bytes, count, duration } from '../plot/format';
import { openTab } from '../state/finding';
import { activeRun, activeRunId, closeRun, type OpenRun, openRuns, showRun } from '../state/runs';
import { tabOf, tabs, type ViewId, view } from '../state/view';
import { Button, Close } from '../ui/Button';
import { ownKeys } from '../ui/keys';
import { Menu } from '../ui/Menu';
import { MenuItem } from '../ui/MenuItem';
import { startText } from '../views/common/selectionText';

/** Which run is shown, and in which view. */
export function RunHeader() {
  return (
    <>
      <RunMenu />
      <Tabs />
    </>
  );
}

/** What tells it from others of the same name: when, how long, how much, and from which file. */
const factsOf = (run: OpenRun): string[] =>
  [
    startText(run),
    Number.isFinite(run.elapsed) ? duration(run.elapsed) : '',
    Number.isFinite(run.chunks) ? `${count(run.chunks)} chunks` : '',
    run.bytes > 0 ? bytes(run.bytes) : '',
    run.recorded_at && startText(run) === '' ? `saved ${run.recorded_at.slice(0, 16)}` : '',
  ].filter(Boolean);

/** The run that is shown, and the list of those that are open. */
function RunMenu() {
  const run = activeRun.value;
  if (!run) return null;
  return (
    <Menu
      button={
        <>
          <b class="cut">{run.title}</b>
          <span class="muted">{startText(run)}</span>
        </>
      }
      buttonClass="button run-chip"
      buttonTestId="run-chip"
      title={`${run.title} ${startText(run)}`}
      sheetTestId="run-menu"
    >
      {() =>
        openRuns.value.map((entry) => (
          <MenuItem
            key={entry.id}
            current={entry.id === activeRunId.value}
            onPress={() => showRun(entry.id)}
            beside={
              <Close
                class="menu-close"
                aria-label={`Close ${entry.title}`}
                title="Close this run"
                onClick={() => void closeRun(entry.id)}
              />
            }
          >
            <span class="menu-mark" aria-hidden="true">
              {entry.id === activeRunId.value ? '✓' : ''}
            </span>
            <span class="run-row">
              <b class="cut">{entry.title}</b>
              <span class="muted">{factsOf(entry).join(' · ')}</span>
            </span>
            {entry.partialNotes.length > 0 ? <span class="run-badge">partial</span> : null}
          </MenuItem>
        ))
      }
    </Menu>
  );
}

/** The tabs; where there is no room for all, they scroll sideways. */
function Tabs() {
  const place = useRef<HTMLDivElement>(null);
  const shown = tabOf(view.value).id;
  const tabElement = (id: ViewId) =>
    place.current?.querySelector<HTMLButtonElement>(`[data-testid="tab-${id}"]`);
  const walk = (step: 1 | -1) => () => {
    const now = tabs.findIndex(({ id }) => id === shown);
    const next = tabs[(now + step + tabs.length) % tabs.length];
    if (!next) return;
    openTab(next.id);
    tabElement(next.id)?.focus();
  };
  // the tab that is shown stays in sight, however narrow the window becomes
  useLayoutEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(() =>
      tabElement(shown)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [shown]);
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label="Views"
      ref={place}
      onKeyDown={ownKeys({ ArrowRight: walk(1), ArrowLeft: walk(-1) })}
    >
      {tabs.map(({ id, title }) => (
        <Button
          key={id}
          role="tab"
          id={`tab-${id}`}
          class="tab"
          data-testid={`tab-${id}`}
          data-title={title}
          aria-selected={shown === id}
          aria-controls="view"
          tabIndex={shown === id ? 0 : -1}
          onClick={() => openTab(id)}
        >
          {title}
        </Button>
      ))}
    </div>
  );
}
