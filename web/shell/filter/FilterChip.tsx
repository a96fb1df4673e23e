import type { ComponentChildren } from 'preact';
import { Chevron } from '../../views/common/Chevron';
import { useMenu } from '../../views/common/useMenu';

export interface FilterChipProps {
  id: string;
  name: string;
  /** what is selected, or "all" */
  value: ComponentChildren;
  active: boolean;
  onClear: () => void;
  /** what the chip opens; a chip without it only says and clears */
  menu?: (() => ComponentChildren) | undefined;
}

/** One dimension of the filter: outline while it holds everything, filled with ✕ while it narrows. */
export function FilterChip({ id, name, value, active, onClear, menu: content }: FilterChipProps) {
  const menu = useMenu<HTMLSpanElement>();
  const text = (
    <>
      {name} <b>{value}</b>
    </>
  );
  return (
    <span class="chip-place" ref={menu.ref}>
      <span class={active ? 'chip chip-on' : 'chip'} data-testid={`chip-${id}`}>
        {content ? (
          <button
            type="button"
            class="chip-main"
            aria-haspopup="true"
            aria-expanded={menu.shown}
            data-testid={`chip-${id}-open`}
            onClick={menu.toggle}
          >
            {text}
            {active ? null : <Chevron />}
          </button>
        ) : (
          <span class="chip-main">{text}</span>
        )}
        {active ? (
          <button
            type="button"
            class="chip-close"
            aria-label={`Clear the filter ${name}`}
            title="Clear (Esc clears all)"
            data-testid={`chip-${id}-clear`}
            onClick={() => {
              menu.close();
              onClear();
            }}
          >
            ✕
          </button>
        ) : null}
      </span>
      {menu.shown && content ? (
        <div class="menu filter-menu" data-testid={`chip-${id}-menu`}>
          {content()}
        </div>
      ) : null}
    </span>
  );
}
