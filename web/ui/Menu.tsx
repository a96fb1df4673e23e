import type { ComponentChildren } from 'preact';
import { Button } from './Button';
import { Chevron } from './Chevron';
import { opens, Popover, usePopover } from './Popover';

export interface MenuProps {
  /** what the button shows, before the sign that it opens something */
  button: ComponentChildren;
  /** without that sign */
  plain?: boolean;
  buttonClass?: string;
  buttonTestId?: string;
  /** the button's name where what it shows is no text */
  label?: string;
  title?: string;
  /** on which side of the button the sheet ends */
  align?: 'left' | 'right';
  placeClass?: string;
  sheetClass?: string;
  sheetTestId?: string;
  /** what the sheet holds; `close` puts it away */
  children: (close: () => void) => ComponentChildren;
}

/** A button and the sheet it opens. */
export function Menu({
  button,
  plain = false,
  buttonClass = 'button',
  align = 'left',
  placeClass = 'menu-place',
  sheetClass = '',
  children,
  ...named
}: MenuProps) {
  const popover = usePopover();
  return (
    <div class={placeClass} ref={popover.place as preact.Ref<HTMLDivElement>}>
      <Button
        class={buttonClass}
        aria-label={named.label}
        title={named.title}
        data-testid={named.buttonTestId}
        {...opens(popover)}
      >
        {button}
        {plain ? null : <Chevron />}
      </Button>
      <Popover
        of={popover}
        align={align}
        className={`menu ${sheetClass}`}
        testId={named.sheetTestId}
      >
        {() => children(popover.close)}
      </Popover>
    </div>
  );
}
