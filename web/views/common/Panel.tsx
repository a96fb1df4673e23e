import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { Answer } from '../../state/answers';
import { isTyping } from './isTyping';
import { PanelMenu } from './PanelMenu';
import { RawTable } from './RawTable';

export interface PanelProps {
  title: string;
  subtitle?: ComponentChildren;
  actions?: ComponentChildren;
  /** the answers it shows: while one is awaited a thin line runs, refusals are said */
  answers?: readonly Answer[];
  /** the answer behind the picture: the menu shows it as a table and saves it */
  twin?: Table | undefined;
  className?: string;
  testId?: string;
  children?: ComponentChildren;
}

/** A titled box. */
export function Panel({ title, subtitle, actions, answers = [], twin, className = '', testId, children }: PanelProps) {
  const box = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const toggle = () => setAsTable((old) => !old);
  const hasTwin = twin !== undefined;
  useEffect(() => {
    if (!hasTwin) return;
    // T turns the panel that has the focus, or the one under the pointer
    const key = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 't' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!isTyping(event.target) && box.current?.matches(':focus-within, :hover')) setAsTable((old) => !old);
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, [hasTwin]);
  const waiting = answers.some((answer) => answer.pending);
  const refusals = answers.map((answer) => answer.error).filter(Boolean);
  return (
    <section
      ref={box}
      class={`panel ${waiting ? 'panel-waiting' : ''} ${className}`}
      aria-label={title}
      aria-busy={waiting}
      data-testid={testId}
    >
      <div class="panel-head">
        <h2>{title}</h2>
        {subtitle ? <div class="panel-sub">{subtitle}</div> : null}
        {actions || twin ? (
          <div class="panel-actions">
            {actions}
            {twin ? <PanelMenu title={title} table={twin} asTable={asTable} onTable={toggle} /> : null}
          </div>
        ) : null}
      </div>
      {refusals.map((sentence) => (
        <p class="refusal" key={sentence}>
          {sentence}
        </p>
      ))}
      {asTable && twin ? <RawTable table={twin} /> : children}
    </section>
  );
}

/** The sentences of an answer about what a filter could not narrow, for a panel's subtitle. */
export function noteText(answer: Answer, name: string): string {
  const note = answer.table?.notes[name];
  return typeof note === 'string' ? note : '';
}
