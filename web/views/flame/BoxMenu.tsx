import { useLayoutEffect } from 'preact/hooks';
import { MenuItem } from '../../ui/MenuItem';
import { Popover, usePopover } from '../../ui/Popover';
import type { BoxAction } from './boxActions';

export interface BoxMenuProps {
  /** where it was asked for, in the window [px] */
  x: number;
  y: number;
  title: string;
  actions: readonly BoxAction[];
  onClose: () => void;
}

/** What can be done to the box under the pointer, where it was clicked with the other button. */
export function BoxMenu({ x, y, title, actions, onClose }: BoxMenuProps) {
  const menu = usePopover();
  useLayoutEffect(() => {
    const sheet = menu.sheet.current;
    const closed = (event: Event) => (event as ToggleEvent).newState === 'closed' && onClose();
    sheet?.addEventListener('toggle', closed);
    sheet?.showPopover();
    sheet?.querySelector('button')?.focus();
    return () => sheet?.removeEventListener('toggle', closed);
  }, []);
  return (
    <span class="menu-point" style={{ left: `${x}px`, top: `${y}px` }} ref={menu.place}>
      <Popover of={menu} className="menu" testId="flame-menu">
        {() => (
          <>
            <p class="menu-title">{title}</p>
            {actions.map((action) => (
              <MenuItem
                key={action.id}
                testId={`flame-menu-${action.id}`}
                onPress={() => {
                  menu.close();
                  action.run();
                }}
              >
                {action.title}
                {action.key ? <kbd>{action.key}</kbd> : null}
              </MenuItem>
            ))}
          </>
        )}
      </Popover>
    </span>
  );
}
