import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { Answer } from '../../state/answers';
import { isTyping } from './isTyping';
import { PanelMenu } from './PanelMenu';
import { RawTable } from './RawTable';
import { ExpandedContext, useExpanded } from './useExpanded';

export interface PanelProps {
  title: string;
  subtitle?: ComponentChildren;
  actions?: ComponentChildren;
  /** the answers it shows: while one is awaited a thin line runs, refusals are said */
  answers?: readonly Answer[];
  /** the answer behind the picture: the menu shows it as a table, copies and saves it */
  twin?: Table | undefined;
  /** what saved files are called; the twin's question by default, else the title */
  name?: string;
  className?: string;
  testId?: string;
  children?: ComponentChildren;
}

/** A titled box with a menu: its numbers, its picture, more room. */
export function Panel(props: PanelProps) {
  const { title, subtitle, actions, answers = [], twin, className = '', testId, children } = props;
  const box = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const { expanded, toggle: expand } = useExpanded(box);
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
      class={`panel ${waiting ? 'panel-waiting' : ''} ${expanded ? 'panel-expanded' : ''} ${className}`}
      aria-label={title}
      aria-busy={waiting}
      data-testid={testId}
    >
      <div class="panel-head">
        <h2>{title}</h2>
        {subtitle ? <div class="panel-sub">{subtitle}</div> : null}
        <div class="panel-actions">
          {actions}
          <PanelMenu
            title={title}
            name={props.name ?? twin?.question ?? fileName(title)}
            box={box}
            table={twin}
            asTable={asTable}
            onTable={() => setAsTable((old) => !old)}
            expanded={expanded}
            onExpand={expand}
          />
        </div>
      </div>
      {refusals.map((sentence) => (
        <p class="refusal" key={sentence}>
          {sentence}
        </p>
      ))}
      <ExpandedContext.Provider value={expanded}>
        {asTable && twin ? <RawTable table={twin} /> : children}
      </ExpandedContext.Provider>
    </section>
  );
}

const fileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The sentences of an answer about what a filter could not narrow, for a panel's subtitle. */
export function noteText(answer: Answer, name: string): string {
  const note = answer.table?.notes[name];
  return typeof note === 'string' ? note : '';
}
