import type { ComponentChildren } from 'preact';
import { Button, Close } from '../../ui/Button';
import { Chevron } from '../../ui/Chevron';
import { opens, Popover, usePopover } from '../../ui/Popover';

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

/**
 * One dimension of the filter: outline while it holds everything, filled with ✕ while it narrows.
 */
export function FilterChip({ id, name, value, active, onClear, menu: content }: FilterChipProps) {
  const menu = usePopover();
  const text = (
    <>
      {name} <b>{value}</b>
    </>
  );
  return (
    <span class="chip-place" ref={menu.place}>
      <span class={active ? 'chip chip-on' : 'chip'} data-testid={`chip-${id}`}>
        {content ? (
          <Button class="chip-main" data-testid={`chip-${id}-open`} {...opens(menu)}>
            {text}
            {active ? null : <Chevron />}
          </Button>
        ) : (
          <span class="chip-main">{text}</span>
        )}
        {active ? (
          <Close
            class="chip-close"
            aria-label={`Clear the filter ${name}`}
            title="Clear (Esc clears all)"
            data-testid={`chip-${id}-clear`}
            onClick={() => {
              menu.close();
              onClear();
            }}
          />
        ) : null}
      </span>
      {content ? (
        <Popover of={menu} className="menu filter-menu" testId={`chip-${id}-menu`}>
          {content}
        </Popover>
      ) : null}
    </span>
  );
}
