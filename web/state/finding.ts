import { batch, signal } from '@preact/signals';
import type { RunId, Selection } from '../engine/engine';
import { type Row, rowsOf, type Table } from '../engine/table';
import { answerOf } from './answers';
import { activeRunId } from './runs';
import { parseSelection, select } from './selection';
import { type ViewId, view, viewNamed } from './view';

export type Severity = 'high' | 'medium' | 'low';

/** A finding, with what its texts stand for. */
export interface Finding extends Omit<Row<'findings'>, 'severity' | 'view' | 'selection'> {
  /** its row: a rule may find several things, so ids repeat */
  row: number;
  severity: Severity;
  view: ViewId;
  selection: Selection;
}

export const findingOrders = ['stake', 'severity'] as const;
export type FindingOrder = (typeof findingOrders)[number];

/** How findings are ranked, in the list and for the keys that walk it. */
export const findingOrder = signal<FindingOrder>('stake');

/** The finding whose view was opened last, to say on that view why the user is there. */
export const currentFinding = signal<{ run: RunId; finding: Finding } | undefined>(undefined);

const gravity: Record<Severity, number> = { high: 0, medium: 1, low: 2 };

const severityOf = (text: string | undefined): Severity =>
  text === 'high' || text === 'medium' ? text : 'low';

export const findingsOf = (table: Table<'findings'>): Finding[] =>
  rowsOf(table).map((finding, row) => ({
    ...finding,
    row,
    severity: severityOf(finding.severity),
    view: viewNamed(finding.view) ?? 'summary',
    selection: parseSelection(finding.selection || '{}'),
  }));

/** The core ranks by stake; the other order is gravest first and keeps that one within. */
export function ordered(findings: readonly Finding[], order: FindingOrder): Finding[] {
  if (order === 'stake') return [...findings];
  return [...findings].sort((a, b) => gravity[a.severity] - gravity[b.severity] || a.row - b.row);
}

/** Opens the view that shows a finding, with what it is about selected. */
export function openFinding(finding: Finding): void {
  const run = activeRunId.value;
  if (run === undefined) return;
  batch(() => {
    select(finding.selection);
    view.value = finding.view;
    currentFinding.value = { run, finding };
  });
}

/** Selects what a finding is about, in the view that is open. */
export function showFinding(finding: Finding): void {
  const run = activeRunId.value;
  if (run === undefined) return;
  batch(() => {
    select(finding.selection);
    currentFinding.value = { run, finding };
  });
}

/** Goes to the next (1) or previous (-1) finding of the shown run, around the end. */
export async function stepFinding(step: 1 | -1): Promise<void> {
  const run = activeRunId.value;
  if (run === undefined) return;
  const list = ordered(findingsOf(await answerOf(run, 'findings')), findingOrder.value);
  if (run !== activeRunId.value || list.length === 0) return;
  const shown = currentFinding.value;
  const now = shown?.run === run ? list.findIndex((entry) => entry.row === shown.finding.row) : -1;
  const first = step > 0 ? 0 : list.length - 1;
  const next = list[now < 0 ? first : (now + step + list.length) % list.length];
  if (next) openFinding(next);
}

export function leaveFinding(): void {
  currentFinding.value = undefined;
}
