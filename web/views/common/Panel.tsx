import type { ComponentChildren } from 'preact';
import type { Table } from '../../engine/table';
import type { Answer } from '../../state/answers';
import { later } from '../../ui/later';
import { Panel as Frame } from '../../ui/Panel';
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

/** The box of answers: with its numbers as a table, as files, and their refusals. */
export function Panel({
  answer,
  answers = answer ? [answer] : [],
  data = answer?.table,
  name,
  children,
  ...frame
}: PanelProps) {
  return (
    <Frame
      {...frame}
      waiting={answers.some((answer) => answer.pending)}
      refusals={answers.flatMap(({ error }) => error || [])}
      data={data && (() => <RawTable table={data} />)}
      menu={(state) => (
        <PanelMenu
          title={frame.title}
          name={name ?? data?.question ?? fileName(frame.title)}
          box={state.box}
          table={data}
          asTable={state.asTable}
          onTable={state.onTable}
          expanded={state.expanded}
          onExpand={state.onExpand}
        />
      )}
    >
      {children}
    </Frame>
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
