import type { ComponentChildren } from 'preact';

export interface ViewVerdictProps {
  text: ComponentChildren;
  limits: ComponentChildren;
  testId: string;
}

/** What a view comes to in one sentence, and below it the limits of that claim. */
export function ViewVerdict({ text, limits, testId }: ViewVerdictProps) {
  return (
    <section class="run-verdict" aria-label="Verdict" data-testid={testId}>
      <p class="run-verdict-text">{text || '\u00a0'}</p>
      <p class="run-verdict-limits">{limits || '\u00a0'}</p>
    </section>
  );
}
