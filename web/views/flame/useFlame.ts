import { useMemo } from 'preact/hooks';
import type { Range } from '../../charts/timeAxis';
import type { CssPixels } from '../../charts/useSize';
import type { RunId, Selection } from '../../engine/engine';
import { type QuestionOptions, useAnswerOf } from '../../state/answers';
import { type FlameBoxes, flameBoxes } from './flameBoxes';

/** Boxes narrower than this are seen as runs. */
const narrowestPixels = 0.5;

/** A part of the whole that is asked for, so that panning and zooming within it need no new answer. */
export interface Wanted {
  begin: number;
  end: number;
  minFraction: number;
}

/** Widths in few steps: a window that grows by a pixel needs no new answer. */
const roundedWidth = (width: CssPixels): number => Math.max(256, 2 ** Math.ceil(Math.log2(Math.max(1, width))));

/** The cell of a grid of halves, quarters, ... that holds the visible range, half a cell more on both sides. */
export function wantedOf([begin, end]: Range, width: CssPixels): Wanted {
  const minFraction = narrowestPixels / roundedWidth(width);
  if (end - begin > 0.7) return { begin: 0, end: 1, minFraction };
  const cell = 2 ** Math.ceil(Math.log2(end - begin));
  const from = (Math.floor((begin / cell) * 2) / 2 - 0.5) * cell;
  return { begin: Math.max(0, from), end: Math.min(1, from + 2.5 * cell), minFraction: (minFraction * cell) / 2 };
}

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
  width: CssPixels,
): FlameAnswer {
  const ready = question !== '' && width > 0;
  const all = wantedOf([0, 1], width);
  const part = wantedOf(visible, width);
  const isZoomed = part.begin > 0 || part.end < 1;
  const asked = { ...options, runs: true };
  const overview = useAnswerOf(runs, ready ? question : '', selection, { ...asked, min_fraction: all.minFraction });
  const detail = useAnswerOf(runs, ready && isZoomed ? question : '', selection, {
    ...asked,
    begin: part.begin,
    end: part.end,
    min_fraction: part.minFraction,
  });
  const whole = useMemo(() => (overview.table ? flameBoxes(overview.table) : undefined), [overview.table]);
  const fine = useMemo(() => (detail.table ? flameBoxes(detail.table) : undefined), [detail.table]);
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
