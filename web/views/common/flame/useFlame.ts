import { useMemo, useRef } from 'preact/hooks';
import type { RunId, Selection } from '../../../engine/engine';
import type { Table } from '../../../engine/table';
import type { Range } from '../../../plot/timeAxis';
import type { QuestionOptions } from '../../../state/answers';
import { marksOf, partOf, wholeOf } from '../../../state/callTree';
import { type Answer, useAnswerOf } from '../../../state/useAnswer';
import { type FlameBoxes, flameBoxes, withMarks } from './flameBoxes';

export interface FlameAnswer {
  /** what is to be drawn: as fine as it is known */
  boxes: FlameBoxes | undefined;
  /** the whole, coarse */
  overview: FlameBoxes | undefined;
  pending: boolean;
  error: string | undefined;
  searchError: string | undefined;
}

/** Those that answer with boxes; '' asks nothing. */
export type FlameQuestion = 'flame' | 'callers' | 'callees' | 'flame_diff' | '';

const identity = [
  'profile_id',
  'transform',
  'shown_leaves',
  'order',
  'selection',
  'per',
  'width',
] as const;

/**
 * Asks one run, or two for their difference, for the whole and, when zoomed in, for the visible
 * part in more detail. Until that is there the whole is shown. What `search` marks in them is asked
 * for apart.
 */
export function useFlame(
  runs: readonly RunId[],
  question: FlameQuestion,
  selection: Selection,
  options: QuestionOptions,
  visible: Range,
  search = '',
): FlameAnswer {
  const all = wholeOf(options);
  const part = partOf(options, visible);
  const isZoomed = part !== undefined;
  const searching = search ? question : '';
  const overview = useAnswerOf(runs, question, selection, all);
  const marks = useAnswerOf(runs, searching, selection, marksOf(all, search));
  const detail = useAnswerOf(runs, part ? question : '', selection, part);
  const detailMarks = useAnswerOf(
    runs,
    part ? searching : '',
    selection,
    part && marksOf(part, search),
  );
  const whole = useBoxes(overview.table, marks);
  const fine = useBoxes(detail.table, detailMarks);
  const notes = fine?.table.notes;
  const fits =
    isZoomed &&
    notes !== undefined &&
    identity.every((name) => notes[name] === whole?.table.notes[name]) &&
    Number(notes.begin) <= visible[0] &&
    Number(notes.end) >= visible[1];
  return {
    boxes: fits ? fine : whole,
    overview: whole,
    pending:
      overview.pending || marks.pending || (isZoomed && (detail.pending || detailMarks.pending)),
    error: overview.error ?? (isZoomed ? detail.error : undefined),
    searchError: marks.error,
  };
}

/** Boxes come before their marks: the former ones are shown until these are there, too. */
function useBoxes(table: Table | undefined, marks: Answer): FlameBoxes | undefined {
  const shown = useRef<FlameBoxes>(undefined);
  const unmarked = useMemo(() => table && flameBoxes(table), [table]);
  const boxes = useMemo(
    () => unmarked && withMarks(unmarked, marks.table),
    [unmarked, marks.table],
  );
  const isAwaited =
    boxes !== undefined && marks.pending && marks.table !== undefined && boxes === unmarked;
  if (!isAwaited) shown.current = boxes;
  return shown.current;
}
