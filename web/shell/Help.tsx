import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export const helpShown = signal(false);

const keys: [string, string][] = [
  ['1 – 7', 'views'],
  ['O', 'open files'],
  ['.', 'light or dark'],
  ['Esc', 'cancel, or clear one level'],
  ['drag', 'Timelines: select a time range'],
  ['wheel', 'pan when zoomed in'],
  ['Ctrl + wheel', 'zoom at the pointer'],
  ['W S A D', 'zoom and pan'],
  ['0', 'the whole again'],
  ['Z', 'Timelines: zoom to the selection'],
  ['/', 'Flame graph: search'],
  ['N P', 'Flame graph: next, previous profile'],
  ['double click', 'Flame graph: zoom to a box'],
  ['arrows', 'Flame graph: walk the boxes'],
];

/** Keys, and what the page does with the data. */
export function Help() {
  const close = useRef<HTMLButtonElement>(null);
  const shown = helpShown.value;
  useEffect(() => {
    if (shown) close.current?.focus();
  }, [shown]);
  if (!shown) return null;
  const hide = () => {
    helpShown.value = false;
  };
  return (
    <div
      class="dialog-back"
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) hide();
      }}
    >
      <div class="dialog" role="dialog" aria-modal="true" aria-label="Help and keys">
        <div class="dialog-head">
          <h2>Keys</h2>
          <button type="button" class="button" ref={close} onClick={hide}>
            Close <kbd>Esc</kbd>
          </button>
        </div>
        <dl class="keys">
          {keys.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p>
          Words with a dotted underline explain themselves on hover or focus: the formula, and the value stored in the
          bundle where ours differs. Hatched areas are idle or unknown. “Not recorded” means that the bundle does not
          hold it; zero is printed only where zero was measured.
        </p>
        <p>Crema reads everything inside this page. It sends nothing anywhere and sets no cookies.</p>
      </div>
    </div>
  );
}
