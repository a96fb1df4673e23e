import { useMemo, useRef } from 'preact/hooks';
import type { Range } from '../../charts/timeAxis';
import type { RunId, Selection } from '../../engine/engine';
import type { Table } from '../../engine/table';
import { type QuestionOptions, useAnswerOf } from '../../state/answers';
import { partOf, wholeOf } from '../../state/callTree';
import { type FlameBoxes, flameBoxes } from './flameBoxes';

export interface FlameAnswer {
  /** what is to be drawn: as fine as it is known */
  boxes: FlameBoxes | undefined;
  /** the whole, coarse */
  overview: FlameBoxes | undefined;
  pending: boolean;
  error: string | undefined;
}

const identity = ['profile_id', 'transform', 'shown_leaves', 'order', 'selection', 'per', 'width'] as const;

/** Asks one run, or two for their difference, for the whole and, when zoomed in, for the visible part in more detail. Until that is there the whole is shown. */
export function useFlame(
  runs: readonly RunId[],
  question: string,
  selection: Selection,
  options: QuestionOptions,
  visible: Range,
): FlameAnswer {
  const part = partOf(options, visible);
  const isZoomed = part !== undefined;
  const overview = useAnswerOf(runs, question, selection, wholeOf(options));
  const detail = useAnswerOf(runs, part ? question : '', selection, part);
  const whole = useBoxes(overview.table);
  const fine = useBoxes(detail.table);
  const notes = detail.table?.notes;
  const fits =
    isZoomed &&
    notes !== undefined &&
    identity.every((name) => notes[name] === overview.table?.notes[name]) &&
    Number(notes.begin) <= visible[0] &&
    Number(notes.end) >= visible[1];
  return {
    boxes: fits ? fine : whole,
    overview: whole,
    pending: overview.pending || (isZoomed && detail.pending),
    error: overview.error ?? (isZoomed ? detail.error : undefined),
  };
}

/** A search marks other boxes in the same places. */
function useBoxes(table: Table | undefined): FlameBoxes | undefined {
  const before = useRef<FlameBoxes>(undefined);
  const boxes = useMemo(() => table && flameBoxes(table, before.current), [table]);
  before.current = boxes;
  return boxes;
}
