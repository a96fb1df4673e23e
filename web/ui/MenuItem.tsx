import type { ComponentChildren } from 'preact';
import { Button } from './Button';

export interface MenuItemProps {
  onPress: () => void;
  /** the one of several that holds now */
  current?: boolean;
  testId?: string;
  children: ComponentChildren;
  /** stands beside the item, in its row */
  beside?: ComponentChildren;
}

/** One line of a Menu. */
export function MenuItem({ onPress, current, testId, children, beside }: MenuItemProps) {
  return (
    <div class="menu-row">
      <Button class="menu-item" aria-current={current} data-testid={testId} onClick={onPress}>
        {children}
      </Button>
      {beside}
    </div>
  );
}
