import { batch, computed, signal } from '@preact/signals';
import type { RunId, Selection } from '../engine/engine';
import { type Row, rowsOf, type Table } from '../engine/table';
import { answerOf } from './answers';
import { activeRunId } from './runs';
import {
  chunkSelection,
  type ListDimension,
  listDimensions,
  parseSelection,
  select,
  selection,
  timeSelection,
  without,
} from './selection';
import { tabOf, type ViewId, view, viewNamed } from './view';

export type Severity = 'high' | 'medium' | 'low';

/** A finding, with what its texts stand for. */
export interface Finding extends Omit<Row<'findings'>, 'severity' | 'view' | 'selection'> {
  /** its row: a rule may find several things, so ids repeat */
  row: number;
  /** by which links name it: its id, with a number where the rule found several things */
  key: string;
  severity: Severity;
  view: ViewId;
  selection: Selection;
}

/** The finding that is followed: pictures mark what it is about and filter nothing. */
export const currentFinding = signal<{ run: RunId; finding: Finding } | undefined>(undefined);

/** What the followed finding is about; {} = nothing is marked. */
export const marked = computed<Selection>(() => {
  const now = currentFinding.value;
  return now?.run === activeRunId.value ? (now?.finding.selection ?? {}) : {};
});

export const isMarked = computed(() => Object.keys(marked.value).length > 0);

/** Tabs whose pictures show what a finding marks. */
const marking: readonly ViewId[] = ['timelines', 'data'];

/**
 * The followed finding, where it is the headline: on the tab that it led to, and where pictures mark
 * what it is about. On the Summary its own page says it.
 */
export const headline = computed<Finding | undefined>(() => {
  const { run, finding } = currentFinding.value ?? {};
  if (!finding || run !== activeRunId.value || view.value === 'summary') return undefined;
  const tab = tabOf(view.value);
  const isHere = tabOf(finding.view) === tab || (isMarked.value && marking.includes(tab.id));
  return isHere ? finding : undefined;
});

/** The selected time; else that of the followed finding. */
export const shownTime = computed(() => timeSelection.value ?? marked.value.time);

/** The filter, narrowed to what the finding is about: pictures draw that in full, the rest pale. */
export const markedSelection = computed<Selection>(() =>
  isMarked.value ? { ...selection.value, ...marked.value } : selection.value,
);

/** The same of what chunks know, without the time. */
export const markedChunks = computed<Selection>(() =>
  isMarked.value
    ? { ...chunkSelection.value, ...without(marked.value, 'time', 'workers', 'prefixes') }
    : chunkSelection.value,
);

/**
 * What the followed finding says of something with these names: it is about it, or the thing is
 * beside it; '' = none is followed, or it says nothing of such things.
 */
export function markOf(names: Partial<Record<ListDimension, string>>): 'about' | 'ghost' | '' {
  const told = listDimensions.filter(
    (dimension) => marked.value[dimension] && names[dimension] !== undefined,
  );
  if (told.length === 0) return '';
  return told.every((dimension) => marked.value[dimension]?.includes(names[dimension] ?? ''))
    ? 'about'
    : 'ghost';
}

const severityOf = (text: string | undefined): Severity =>
  text === 'high' || text === 'medium' ? text : 'low';

const keyOf = (id: string | undefined, before: number): string =>
  before === 0 ? (id ?? '') : `${id}.${before + 1}`;

export const findingsOf = (table: Table<'findings'>): Finding[] =>
  rowsOf(table).map((finding, row, all) => ({
    ...finding,
    row,
    key: keyOf(finding.id, all.slice(0, row).filter(({ id }) => id === finding.id).length),
    severity: severityOf(finding.severity),
    view: viewNamed(finding.view) ?? 'summary',
    selection: parseSelection(finding.selection || '{}'),
  }));

/**
 * What is only the largest part of a healthy run. It is no fault, so no saving is claimed, and it
 * never leads.
 */
const factIds = new Set(['own-function']);

export const isFact = ({ id }: { id: string }): boolean => factIds.has(id);

/** What is worth fixing: only this is counted. */
export const faultsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter((finding) => !isFact(finding));

const unpictured = new Set(['hook', 'slow-setting', 'unresponsive']);

/** It has a page with the picture that proves it. A fact, a fault of the recording and a setting lead straight to their view. */
export const hasPicture = (finding: Finding): boolean =>
  !isFact(finding) && finding.view !== 'recording' && !unpictured.has(finding.id);

/** The faults in the order of the core, then the facts. */
export const ranked = (findings: readonly Finding[]): Finding[] => [
  ...faultsOf(findings),
  ...findings.filter(isFact),
];

/** The first that fits, of those that no other view may deny: the headline, and none below medium. */
const firstLeading = (
  findings: readonly Finding[],
  fits: (finding: Finding) => boolean,
): Finding | undefined => {
  const [headline] = ranked(findings);
  return findings.find(
    (finding) =>
      !isFact(finding) && (finding.severity !== 'low' || finding === headline) && fits(finding),
  );
};

/** The first that blames reading, a host or a file: beside it nobody may say that reading was no limit. */
export const firstOfReading = (findings: readonly Finding[]): Finding | undefined =>
  firstLeading(
    findings,
    ({ view: shownIn, selection: { hosts, files } }) =>
      shownIn === 'read' || Boolean(hosts || files),
  );

/** The first that is about chunks, or blames a host, a file or a dataset: so that none stands out is denied. */
export const firstOfChunks = (findings: readonly Finding[]): Finding | undefined =>
  findings.find(({ view: shownIn }) => shownIn === 'compute') ??
  firstLeading(findings, ({ selection: { hosts, files, datasets } }) =>
    Boolean(hosts || files || datasets),
  );

/** The first that is about workers: beside it nobody may say that none was unlike the others. */
export const firstOfWorkers = (findings: readonly Finding[]): Finding | undefined =>
  firstLeading(
    findings,
    ({ view: shownIn, selection: { workers } }) => shownIn === 'timelines' || Boolean(workers),
  );

/** The one that calls most of what is read probably unused. */
export const unusedOf = (findings: readonly Finding[]): Finding | undefined =>
  findings.find(({ id }) => id === 'unused-branches' || id === 'reads-much');

/**
 * Opens a tab that was asked for by itself: the Summary is then the Summary, not the page of the
 * finding that is followed.
 */
export function openTab(tab: ViewId): void {
  batch(() => {
    if (tab === 'summary') leaveFinding();
    view.value = tab;
  });
}

/** Opens the view that shows a finding, and marks there what it is about. */
export function openFinding(finding: Finding): void {
  batch(() => {
    view.value = finding.view;
    showFinding(finding);
  });
}

/** Marks what a finding is about, in the view that is open. */
export function showFinding(finding: Finding): void {
  const run = activeRunId.value;
  if (run !== undefined) currentFinding.value = { run, finding };
}

/** Narrows all views to what the followed finding is about; false when it is about the whole run. */
export function filterToFinding(): boolean {
  const about = marked.peek();
  if (!isMarked.peek()) return false;
  leaveFinding();
  select({ ...selection.peek(), ...about });
  return true;
}

/** Goes to the next (1) or previous (-1) finding of the shown run, around the end. */
export async function stepFinding(step: 1 | -1): Promise<void> {
  const run = activeRunId.value;
  if (run === undefined) return;
  const list = faultsOf(findingsOf(await answerOf(run, 'findings')));
  if (run !== activeRunId.value || list.length === 0) return;
  const shown = currentFinding.value;
  const now = shown?.run === run ? list.findIndex((entry) => entry.row === shown.finding.row) : -1;
  const first = step > 0 ? 0 : list.length - 1;
  const next = list[now < 0 ? first : (now + step + list.length) % list.length];
  // on the Summary each has a page of its own
  if (next && view.peek() === 'summary') showFinding(next);
  else if (next) openFinding(next);
}

export function leaveFinding(): void {
  currentFinding.value = undefined;
}

/** Follows the finding that a link names, as soon as the core has found it; '' = none. */
export async function followFinding(key: string): Promise<void> {
  leaveFinding();
  const run = activeRunId.peek();
  if (key === '' || run === undefined) return;
  const found = findingsOf(await answerOf(run, 'findings')).find((one) => one.key === key);
  if (found && run === activeRunId.peek()) showFinding(found);
}
