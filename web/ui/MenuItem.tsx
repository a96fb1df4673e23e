import type { ComponentChildren } from 'preact';
import { Button } from './Button';

export interface MenuItemProps {
  onPress: () => void;
  /** the menu stays open */
  stays?: boolean | undefined;
  /** the one of several that holds now */
  current?: boolean;
  testId?: string;
  children: ComponentChildren;
  /** stands beside the item, in its row */
  beside?: ComponentChildren;
}

/** What it does in bold, and a word on it. */
export const MenuLine = ({
  title,
  detail,
  ...item
}: Omit<MenuItemProps, 'children'> & { title: string; detail: string }) => (
  <MenuItem {...item}>
    <b>{title}</b>
    <span class="muted">{detail}</span>
  </MenuItem>
);

/** One line of a Menu, which is put away when it is pressed. */
export function MenuItem({ onPress, stays, current, testId, children, beside }: MenuItemProps) {
  const press = ({ currentTarget }: MouseEvent) => {
    if (!stays) (currentTarget as Element).closest<HTMLElement>('[popover]')?.hidePopover();
    onPress();
  };
  return (
    <div class="menu-row">
      <Button class="menu-item" aria-current={current} data-testid={testId} onClick={press}>
        {children}
      </Button>
      {beside}
    </div>
  );
}
