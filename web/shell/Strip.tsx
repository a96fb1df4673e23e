import type { ComponentChildren } from 'preact';

interface StripProps {
  label: string;
  testId: string;
  class?: string;
  role?: 'status';
  /** what stands before its title */
  sign?: ComponentChildren;
  title: string;
  /** in full on hover */
  text: string;
  children: ComponentChildren;
}

/** A line over a view: what it is about, and what can be done. */
export function Strip({ label, testId, role, sign, title, text, ...rest }: StripProps) {
  return (
    <section
      class={`strip ${rest.class ?? ''}`}
      role={role}
      aria-label={label}
      data-testid={testId}
    >
      {sign}
      <b>{title}</b>
      <span class="strip-text cut" title={text}>
        {text}
      </span>
      <span class="strip-actions">{rest.children}</span>
    </section>
  );
}
