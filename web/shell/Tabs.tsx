import { useLayoutEffect, useRef } from 'preact/hooks';
import { tabOf, tabs, type ViewId, view } from '../state/view';
import { Button } from '../ui/Button';
import { ownKeys } from '../ui/keys';

/** The tabs; where there is no room for all, they scroll sideways. */
export function Tabs() {
  const place = useRef<HTMLDivElement>(null);
  const shown = tabOf(view.value).id;
  const tabElement = (id: ViewId) =>
    place.current?.querySelector<HTMLButtonElement>(`[data-testid="tab-${id}"]`);
  const walk = (step: 1 | -1) => () => {
    const now = tabs.findIndex(({ id }) => id === shown);
    const next = tabs[(now + step + tabs.length) % tabs.length];
    if (!next) return;
    view.value = next.id;
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
          onClick={() => {
            view.value = id;
          }}
        >
          {title}
        </Button>
      ))}
    </div>
  );
}
