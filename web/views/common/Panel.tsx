import type { ComponentChildren } from 'preact';
import type { Answer } from '../../state/answers';

export interface PanelProps {
  title: string;
  subtitle?: ComponentChildren;
  actions?: ComponentChildren;
  /** the answers it shows: while one is awaited a thin line runs, refusals are said */
  answers?: readonly Answer[];
  className?: string;
  testId?: string;
  children?: ComponentChildren;
}

/** A titled box. */
export function Panel({ title, subtitle, actions, answers = [], className = '', testId, children }: PanelProps) {
  const waiting = answers.some((answer) => answer.pending);
  const refusals = answers.map((answer) => answer.error).filter(Boolean);
  return (
    <section
      class={`panel ${waiting ? 'panel-waiting' : ''} ${className}`}
      aria-label={title}
      aria-busy={waiting}
      data-testid={testId}
    >
      <div class="panel-head">
        <h2>{title}</h2>
        {subtitle ? <div class="panel-sub">{subtitle}</div> : null}
        {actions ? <div class="panel-actions">{actions}</div> : null}
      </div>
      {refusals.map((sentence) => (
        <p class="refusal" key={sentence}>
          {sentence}
        </p>
      ))}
      {children}
    </section>
  );
}

/** The sentences of an answer about what a filter could not narrow, for a panel's subtitle. */
export function noteText(answer: Answer, name: string): string {
  const note = answer.table?.notes[name];
  return typeof note === 'string' ? note : '';
}
