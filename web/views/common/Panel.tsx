import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { Answer } from '../../state/answers';
import { useKeys } from '../../ui/keys';
import { later } from '../../ui/later';
import { useSight } from '../../ui/sight';
import { ExpandedContext, useExpanded } from '../../ui/useExpanded';
import { PanelMenu } from './PanelMenu';

const RawTable = later(async () => (await import('./RawTable')).RawTable);

export interface PanelProps {
  title: string;
  subtitle?: ComponentChildren;
  actions?: ComponentChildren;
  /** the answer that it shows: `answers` and `data` in one */
  answer?: Answer;
  /** the answers it shows: while one is awaited a thin line runs, refusals are said */
  answers?: readonly Answer[];
  /** the answer behind the picture: the menu shows it as a table, copies and saves it */
  data?: Table | undefined;
  /** what saved files are called; the question of `data` by default, else the title */
  name?: string;
  className?: string;
  testId?: string;
  children?: ComponentChildren;
}

/**
 * The titled box of answers: it can fill the page, and has its numbers as a table, as files, and
 * the answers' refusals.
 */
export function Panel(props: PanelProps) {
  const { title, answer, className = '' } = props;
  const { answers = answer ? [answer] : [], data = answer?.table } = props;
  const box = useRef<HTMLElement>(null);
  useSight(box);
  const [asTable, setAsTable] = useState(false);
  const { expanded, toggle } = useExpanded(box);
  const onTable = () => setAsTable((old) => !old);
  // T turns the panel that has the focus, or the one under the pointer
  const turn = () => {
    if (!box.current?.matches(':focus-within, :hover')) return false;
    onTable();
    return true;
  };
  useKeys('panel', { t: turn }, data !== undefined);
  const waiting = answers.some(({ pending }) => pending);
  return (
    <section
      ref={box}
      class={`panel ${waiting ? 'panel-waiting' : ''} ${expanded ? 'panel-expanded' : ''} ${className}`}
      aria-label={title}
      aria-busy={waiting}
      data-testid={props.testId}
    >
      <div class="panel-head">
        <h2>{title}</h2>
        {props.subtitle ? <div class="panel-sub small muted">{props.subtitle}</div> : null}
        <div class="panel-actions row">
          {props.actions}
          <PanelMenu
            title={title}
            name={props.name ?? data?.question ?? fileName(title)}
            box={box}
            table={data}
            asTable={asTable}
            onTable={onTable}
            expanded={expanded}
            onExpand={toggle}
          />
        </div>
      </div>
      {answers
        .flatMap(({ error }) => error || [])
        .map((sentence) => (
          <p class="refusal" key={sentence}>
            {sentence}
          </p>
        ))}
      <ExpandedContext.Provider value={expanded}>
        {asTable && data ? <RawTable table={data} /> : props.children}
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
