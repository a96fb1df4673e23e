import { useRef } from 'preact/hooks';
import { isViewId, type ViewId, view, views } from '../state/view';

/** The views as tabs; in a narrow window as a menu. */
export function Tabs() {
  const list = useRef<HTMLDivElement>(null);
  const go = (id: ViewId) => {
    view.value = id;
  };
  const key = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const now = views.findIndex((entry) => entry.id === view.value);
    const next = views[(now + step + views.length) % views.length];
    if (!next) return;
    go(next.id);
    list.current?.querySelector<HTMLButtonElement>(`[data-testid="tab-${next.id}"]`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Views" ref={list} onKeyDown={key}>
        {views.map((entry) => (
          <button
            key={entry.id}
            type="button"
            role="tab"
            id={`tab-${entry.id}`}
            class="tab"
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
      <select
        class="tab-select"
        aria-label="View"
        value={view.value}
        onChange={(event) => {
          if (isViewId(event.currentTarget.value)) go(event.currentTarget.value);
        }}
      >
        {views.map((entry) => (
          <option key={entry.id} value={entry.id}>
            {entry.title}
          </option>
        ))}
      </select>
    </>
  );
}
