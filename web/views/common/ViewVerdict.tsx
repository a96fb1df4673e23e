import type { ComponentChildren } from 'preact';
import { unbroken } from '../../plot/format';

export interface ViewVerdictProps {
  text: ComponentChildren;
  limits: ComponentChildren;
  testId: string;
}

const shown = (text: ComponentChildren): ComponentChildren =>
  typeof text === 'string' && text ? unbroken(text) : text || '\u00a0';

/** What a view comes to in one sentence, and below it the limits of that claim. */
export function ViewVerdict({ text, limits, testId }: ViewVerdictProps) {
  return (
    <section class="run-verdict" aria-label="Verdict" data-testid={testId}>
      <p class="run-verdict-text">{shown(text)}</p>
      <p class="run-verdict-limits">{shown(limits)}</p>
    </section>
  );
}
