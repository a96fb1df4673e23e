/** What the core is asked for the picture of a call tree. */
import type { Range } from '../plot/timeAxis';
import type { CssPixels } from '../plot/useSize';
import type { QuestionOptions } from './answers';
import type { FlameState } from './flame';

/** Boxes narrower than this are seen as runs. */
const narrowestPixels = 0.5;

/**
 * A part of the whole that is asked for, so that panning and zooming within it need no new answer.
 */
export interface Wanted {
  begin: number;
  end: number;
  minFraction: number;
}

/** Widths in few steps: a window that grows by a pixel needs no new answer. */
const roundedWidth = (width: CssPixels): number =>
  Math.max(256, 2 ** Math.ceil(Math.log2(Math.max(1, width))));

/**
 * The cell of a grid of halves, quarters, ... that holds the visible range, half a cell more on
 * both sides.
 */
export function wantedOf([begin, end]: Range, width: CssPixels): Wanted {
  const minFraction = narrowestPixels / roundedWidth(width);
  if (end - begin > 0.7) return { begin: 0, end: 1, minFraction };
  const cell = 2 ** Math.ceil(Math.log2(end - begin));
  const from = (Math.floor((begin / cell) * 2) / 2 - 0.5) * cell;
  return {
    begin: Math.max(0, from),
    end: Math.min(1, from + 2.5 * cell),
    minFraction: (minFraction * cell) / 2,
  };
}

/** Which tree, and its boxes in which order. */
export type TreeOptions = Record<'profile' | 'leaves' | 'transform' | 'order', string> & {
  section?: string;
  chunk?: number;
  by_section?: boolean;
};

/** The tree that a state shows. */
export function treeOptions(state: FlameState): TreeOptions {
  const { profile, leaves, steps, mode, opened, section, chunk } = state;
  const shape = { own: [['group:library', ...opened].join(',')], inverted: ['invert'] };
  return {
    profile,
    leaves,
    transform: [...steps, ...(shape[mode as keyof typeof shape] ?? [])].join(';'),
    order: mode === 'time' ? 'time' : 'heavy',
    ...(section ? { section } : {}),
    ...(chunk ? { chunk: Number(chunk) } : {}),
    ...(!section && !chunk && (mode === 'own' || mode === 'icicle') ? { by_section: true } : {}),
  };
}

/** The pattern of what a state searches; '' = nothing. */
export function searchOf({ search, regex }: FlameState): string {
  const text = search.trim();
  return text && regex ? `/${text}/` : text;
}

/** Which boxes match, asked apart: they stand where they stand, whatever is searched. */
export const marksOf = (boxes: QuestionOptions, search: string): QuestionOptions => ({
  ...boxes,
  search,
  marks: true,
});

/** All of it, as fine as the page is wide: no picture on it is wider. */
export const wholeOf = (tree: QuestionOptions): QuestionOptions => ({
  ...tree,
  runs: true,
  min_fraction: wantedOf([0, 1], window.innerWidth).minFraction,
});

/** What is seen of it, and around that; undefined when it is the whole. */
export function partOf(tree: QuestionOptions, visible: Range): QuestionOptions | undefined {
  const { begin, end, minFraction } = wantedOf(visible, window.innerWidth);
  if (begin <= 0 && end >= 1) return undefined;
  return { ...tree, runs: true, begin, end, min_fraction: minFraction };
}
