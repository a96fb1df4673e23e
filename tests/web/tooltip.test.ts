import { expect, it } from 'vitest';
import { isTooltipPinned, pinTooltip, showPinned, showTooltip } from '../../web/ui/tooltip';

it('a kept tooltip that a click releases tells whoever opened it, once', () => {
  let closed = 0;
  showPinned(0, 0, 'a chunk', () => {
    closed += 1;
  });
  pinTooltip();
  expect(isTooltipPinned()).toBe(false);
  expect(closed).toBe(1);
  pinTooltip();
  expect(closed).toBe(1);
});

it('a passing tooltip is kept by a click, and released by the next', () => {
  showTooltip(0, 0, 'a chunk');
  expect(isTooltipPinned()).toBe(false);
  pinTooltip();
  expect(isTooltipPinned()).toBe(true);
  pinTooltip();
  expect(isTooltipPinned()).toBe(false);
});
