import type { ComponentChildren } from 'preact';
import { useMenu } from './useMenu';

export interface MenuProps {
  /** what the button shows */
  button: ComponentChildren;
  buttonClass?: string;
  buttonTestId?: string;
  /** the button's name where what it shows is no text */
  label?: string;
  title?: string;
  /** on which side of the button the sheet ends */
  align?: 'left' | 'right';
  sheetClass?: string;
  sheetTestId?: string;
  /** what the sheet holds; `close` puts it away */
  children: (close: () => void) => ComponentChildren;
}

/** A button and the sheet it opens. */
export function Menu({
  button,
  buttonClass = 'button',
  align = 'left',
  sheetClass = '',
  children,
  ...named
}: MenuProps) {
  const menu = useMenu<HTMLDivElement>();
  return (
    <div class="menu-place" ref={menu.ref}>
      <button
        type="button"
        class={buttonClass}
        aria-label={named.label}
        title={named.title}
        aria-haspopup="true"
        aria-expanded={menu.shown}
        data-testid={named.buttonTestId}
        onClick={menu.toggle}
      >
        {button}
      </button>
      {menu.shown ? (
        <div class={`menu ${align === 'right' ? 'menu-right' : ''} ${sheetClass}`} data-testid={named.sheetTestId}>
          {children(menu.close)}
        </div>
      ) : null}
    </div>
  );
}
