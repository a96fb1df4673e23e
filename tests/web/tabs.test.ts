import { describe, expect, it } from 'vitest';
import { fittingTabs } from '../../web/shell/Tabs';

describe('tabs', () => {
  const widths = [100, 100, 100, 100];

  it('stand side by side where there is room for all', () => {
    expect(fittingTabs(widths, 400, 0)).toBe(4);
  });

  it('leave room for the menu', () => {
    // 3 tabs and "More", 70 wide, would be 370
    expect(fittingTabs(widths, 399, 0)).toBe(3);
    expect(fittingTabs(widths, 369, 0)).toBe(2);
  });

  it('leave room for a menu that is called after the tab in it', () => {
    // "tab 4" with its arrow is 122 wide: 3 tabs and it would be 422
    expect(fittingTabs(widths, 399, 3)).toBe(2);
    expect(fittingTabs(widths, 60, 3)).toBe(0);
  });
});
