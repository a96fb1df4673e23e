import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ViewId, view, views } from '../state/view';
import { ownKeys } from '../ui/keys';
import { Menu } from '../ui/Menu';
import { MenuItem } from '../ui/MenuItem';
import { Chevron } from '../views/common/Chevron';

/** "More" and its arrow, and the arrow alone. */
const morePixels = 70;
const arrowPixels = 22;

/** The views as tabs; those that find no room are in a menu at the end. */
export function Tabs() {
  const place = useRef<HTMLDivElement>(null);
  const shown = useFitting(place);
  const go = (id: ViewId) => {
    view.value = id;
  };
  const walk = (step: 1 | -1) => () => {
    const now = views.findIndex((entry) => entry.id === view.value);
    const next = views[(now + step + views.length) % views.length];
    if (!next) return;
    go(next.id);
    place.current?.querySelector<HTMLButtonElement>(`[data-testid="tab-${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs-place" ref={place}>
      <div
        class="tabs"
        role="tablist"
        aria-label="Views"
        onKeyDown={ownKeys({ ArrowRight: walk(1), ArrowLeft: walk(-1) })}
      >
        {views.map((entry, index) => (
          <button
            key={entry.id}
            type="button"
            role="tab"
            id={`tab-${entry.id}`}
            class={index < shown ? 'tab' : 'tab tab-hidden'}
            data-testid={`tab-${entry.id}`}
            data-title={entry.title}
            aria-selected={view.value === entry.id}
            aria-controls="view"
            tabIndex={view.value === entry.id ? 0 : -1}
            onClick={() => go(entry.id)}
          >
            {entry.title}
          </button>
        ))}
      </div>
      {shown < views.length ? <More from={shown} onGo={go} /> : null}
    </div>
  );
}

function More({ from, onGo }: { from: number; onGo: (id: ViewId) => void }) {
  const rest = views.slice(from);
  const current = rest.find((entry) => entry.id === view.value);
  return (
    <Menu
      button={
        <>
          {current ? current.title : from === 0 ? 'Views' : 'More'} <Chevron />
        </>
      }
      buttonClass={current ? 'tab tab-current' : 'tab'}
      buttonTestId="tab-more"
      placeClass="more-tabs"
      align="right"
      sheetClass="menu-small"
    >
      {(close) =>
        rest.map((entry) => (
          <MenuItem
            key={entry.id}
            current={entry.id === view.value}
            testId={`more-${entry.id}`}
            onPress={() => {
              onGo(entry.id);
              close();
            }}
          >
            {entry.title}
          </MenuItem>
        ))
      }
    </Menu>
  );
}

/**
 * How many of the tabs, so wide, find room beside the menu; it is called after tab `current` when
 * that is in it.
 */
export function fittingTabs(widths: readonly number[], room: number, current: number): number {
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return widths.length;
  const beside = (menu: number) => {
    let used = menu;
    const first = widths.findIndex((width) => {
      used += width;
      return used > room;
    });
    return Math.max(0, first);
  };
  const count = beside(morePixels);
  return current < count
    ? count
    : beside(Math.max(morePixels, (widths[current] ?? 0) + arrowPixels));
}

/** How many tabs stand side by side in the room there is. */
function useFitting(place: { current: HTMLDivElement | null }): number {
  const [count, setCount] = useState<number>(views.length);
  const current = views.findIndex((entry) => entry.id === view.value);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => {
      const widths = Array.from(
        element.querySelectorAll<HTMLElement>('[role="tab"]'),
        (tab) => tab.offsetWidth + 2,
      );
      setCount(fittingTabs(widths, element.clientWidth, current));
    };
    // tells the first size too, before the next frame is painted
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, current]);
  return count;
}
