import type { CssPixels } from './useSize';

export interface LeaderRequest {
  id: string;
  /** the middle of the thing that is labelled */
  x: CssPixels;
  width: CssPixels;
}

export interface Leader {
  id: string;
  /** where the line leaves the thing */
  fromX: CssPixels;
  /** 0 = the row next to the thing */
  row: number;
  textX: CssPixels;
  anchor: 'start' | 'end';
}

/**
 * Places labels of marks that are too narrow to hold them, below the marks: each beside its line,
 * on the side where there is room, one row lower when the row is taken.
 */
export function placeLeaders(requests: readonly LeaderRequest[], right: CssPixels): Leader[] {
  const gapPixels = 8;
  const rows: { begin: CssPixels; end: CssPixels }[][] = [];
  // from the left, texts to the left of their lines: a line that goes further down passes right of
  // the labels above it
  return [...requests]
    .sort((a, b) => a.x - b.x)
    .map((request) => {
      const anchor =
        request.x - request.width - gapPixels >= 0 || request.x + request.width + gapPixels > right
          ? 'end'
          : 'start';
      const textX = anchor === 'end' ? request.x - gapPixels : request.x + gapPixels;
      const begin = anchor === 'end' ? textX - request.width : request.x;
      const end = anchor === 'end' ? request.x : textX + request.width;
      let row = 0;
      while (
        rows[row]?.some((taken) => begin < taken.end + gapPixels && end > taken.begin - gapPixels)
      )
        row += 1;
      // the line itself occupies the rows it passes
      for (let passed = 0; passed < row; passed += 1)
        rows[passed]?.push({ begin: request.x, end: request.x });
      rows[row] = [...(rows[row] ?? []), { begin, end }];
      return { id: request.id, fromX: request.x, row, textX, anchor };
    });
}
