import type { ComponentChildren } from 'preact';

/** What the colours of a sequential scale stand for: from 0 to `top`. */
export const HeatScale = ({ top, children }: { top: string; children?: ComponentChildren }) => (
  <div class="heat-legend">
    <div class="heat-scale" />
    <div class="gutter-line muted">
      <span>0</span>
      <span>{top}</span>
    </div>
    {children}
  </div>
);
