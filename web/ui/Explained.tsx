import type { ComponentChildren } from 'preact';
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
    <button type="button" class="explained" onClick={pinTooltip} {...tooltipOn(content)}>
      {children}
    </button>
  );
}
