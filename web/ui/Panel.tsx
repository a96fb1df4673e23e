import type { ComponentChildren, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useKeys } from './keys';
import { useSight } from './sight';
import { ExpandedContext, useExpanded } from './useExpanded';

/** What a panel's menu can do with it. */
export interface PanelState {
  box: RefObject<HTMLElement | null>;
  /** shows the data in place of the picture */
  asTable: boolean;
  onTable: () => void;
  /** fills the page */
  expanded: boolean;
  onExpand: () => void;
}

export interface PanelProps {
  title: string;
  subtitle?: ComponentChildren;
  actions?: ComponentChildren;
  menu: (state: PanelState) => ComponentChildren;
  /** something of it is on its way: a thin line runs */
  waiting?: boolean;
  /** why something of it is not there */
  refusals?: readonly string[];
  /** the same as a table */
  data?: (() => ComponentChildren) | undefined;
  className?: string | undefined;
  testId?: string | undefined;
  children?: ComponentChildren;
}

/** A titled box with a menu, which can fill the page and show its numbers as a table. */
export function Panel(props: PanelProps) {
  const {
    title,
    subtitle,
    actions,
    menu,
    waiting = false,
    refusals = [],
    data,
    className = '',
    testId,
  } = props;
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
        {subtitle ? <div class="panel-sub small muted">{subtitle}</div> : null}
        <div class="panel-actions row">
          {actions}
          {menu({ box, asTable, onTable, expanded, onExpand: toggle })}
        </div>
      </div>
      {refusals.map((sentence) => (
        <p class="refusal" key={sentence}>
          {sentence}
        </p>
      ))}
      <ExpandedContext.Provider value={expanded}>
        {asTable && data ? data() : props.children}
      </ExpandedContext.Provider>
    </section>
  );
}
