import type { ComponentChildren } from 'preact';
import { Button } from './Button';
import { pinTooltip, tooltipOn } from './tooltip';

/** A word with a dotted underline: hover or focus explains it, a click keeps the explanation. */
export function Explained({
  content,
  children,
}: {
  content: () => ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <Button class="explained cut" onClick={pinTooltip} {...tooltipOn(content)}>
      {children}
    </Button>
  );
}
