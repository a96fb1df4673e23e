import { at, firstWhere } from './numbers';

/**
 * Bars on lanes, sorted by lane and then by their begin: what a picture of any part needs is found
 * by bisection.
 */
export interface Gantt {
  lanes: number;
  /** per lane, its first bar; one more than lanes */
  laneStart: Uint32Array;
  begin: Float64Array;
  end: Float64Array;
  /** the row of the data that each bar is */
  row: Uint32Array;
  /** per lane, its longest bar: bars that begin so much earlier may still reach into view */
  longest: Float64Array;
}

/** Rows without a lane, or without times, are left out; there are `least` lanes or more. */
export function ganttOf(
  lane: ArrayLike<number>,
  begin: ArrayLike<number>,
  end: ArrayLike<number>,
  least = 0,
): Gantt {
  const isBar = (row: number) => at(lane, row) >= 0 && at(end, row) >= at(begin, row);
  let lanes = least;
  for (let row = 0; row < lane.length; row += 1)
    if (isBar(row)) lanes = Math.max(lanes, at(lane, row) + 1);
  const laneStart = new Uint32Array(lanes + 1);
  for (let row = 0; row < lane.length; row += 1)
    if (isBar(row)) laneStart[at(lane, row) + 1] = at(laneStart, at(lane, row) + 1) + 1;
  for (let of = 1; of <= lanes; of += 1) laneStart[of] = at(laneStart, of) + at(laneStart, of - 1);
  const bars = at(laneStart, lanes);
  const gantt: Gantt = {
    lanes,
    laneStart,
    begin: new Float64Array(bars),
    end: new Float64Array(bars),
    row: new Uint32Array(bars),
    longest: new Float64Array(lanes),
  };
  const next = laneStart.slice();
  for (let row = 0; row < lane.length; row += 1) {
    if (!isBar(row)) continue;
    const bar = at(next, at(lane, row));
    gantt.row[bar] = row;
    next[at(lane, row)] = bar + 1;
  }
  for (let of = 0; of < lanes; of += 1) {
    const rows = gantt.row.subarray(at(laneStart, of), at(laneStart, of + 1));
    // they mostly come in the order of their begin: to see that is quicker than to sort a lane
    if (rows.some((row, place) => place > 0 && at(begin, row) < at(begin, at(rows, place - 1))))
      rows.sort((a, b) => at(begin, a) - at(begin, b) || a - b);
    rows.forEach((row, place) => {
      const bar = at(laneStart, of) + place;
      gantt.begin[bar] = at(begin, row);
      gantt.end[bar] = at(end, row);
      gantt.longest[of] = Math.max(at(gantt.longest, of), at(end, row) - at(begin, row));
    });
  }
  return gantt;
}

/** The first bar of a lane that may reach beyond `begin`. */
function firstBar(gantt: Gantt, lane: number, begin: number): number {
  const reach = begin - at(gantt.longest, lane);
  return firstWhere(
    at(gantt.laneStart, lane),
    at(gantt.laneStart, lane + 1),
    (bar) => at(gantt.begin, bar) >= reach,
  );
}

export interface GanttFrame {
  begin: number;
  end: number;
  /** [device px] */
  width: number;
  height: number;
  /** space between lanes [device px] */
  gap: number;
  /** the colour of a bar's row, as a pixel */
  colourOf: (row: number) => number;
  /** of a lane where nothing runs */
  ground: number;
}

/** From where a lane reaches down the picture. */
export const laneTop = (lane: number, lanes: number, height: number): number =>
  Math.floor((lane * height) / lanes);

/**
 * Paints the visible bars. Bars narrower than a pixel share it, the longest one colours it; wide
 * ones are kept apart by a pixel. Lanes narrower than a pixel share rows.
 */
export function paintGantt(gantt: Gantt, frame: GanttFrame, pixels: Uint32Array): void {
  const { begin, end, width, height, gap, ground, colourOf } = frame;
  const perPixel = (end - begin) / width;
  const line = new Uint32Array(width);
  for (let lane = 0; lane < gantt.lanes; lane += 1) {
    const top = laneTop(lane, gantt.lanes, height);
    const next = laneTop(lane + 1, gantt.lanes, height);
    const bottom = next - top > 2 * gap + 1 ? next - gap : Math.max(next, top + 1);
    line.fill(ground);
    const last = at(gantt.laneStart, lane + 1);
    let shared = -1;
    let longest = 0;
    for (let bar = firstBar(gantt, lane, begin); bar < last; bar += 1) {
      const from = gantt.begin[bar] ?? 0;
      if (from >= end) break;
      const until = gantt.end[bar] ?? 0;
      if (until < begin) continue;
      const left = Math.max(0, Math.floor((from - begin) / perPixel));
      const right = Math.min(width, Math.ceil((until - begin) / perPixel));
      const colour = colourOf(gantt.row[bar] ?? 0);
      if (right - left <= 1) {
        const length = until - from;
        if (left === shared && length < longest) continue;
        shared = left;
        longest = length;
        line[left] = colour;
      } else {
        // the next may begin within the pixel in which it ends
        const apart = Math.floor((until - begin) / perPixel) - 1;
        line.fill(colour, left, right - left > 4 ? Math.min(right, apart) : right);
      }
    }
    for (let y = top; y < bottom && y < height; y += 1) pixels.set(line, y * width);
  }
}

/**
 * The row of the data whose bar is at a moment on a lane, or within `reach` of it; -1 when none is.
 */
export function barAt(gantt: Gantt, lane: number, x: number, reach: number): number {
  if (!(lane >= 0) || lane >= gantt.lanes) return -1;
  let best = -1;
  let distance = reach;
  const last = at(gantt.laneStart, lane + 1);
  for (let bar = firstBar(gantt, lane, x - reach); bar < last; bar += 1) {
    if (at(gantt.begin, bar) > x + reach) break;
    const off = Math.max(at(gantt.begin, bar) - x, x - at(gantt.end, bar), 0);
    if (off > distance) continue;
    distance = off;
    best = at(gantt.row, bar);
  }
  return best;
}

/** Calls `each` with the visible bars that are at least `least` long, for labels. */
export function forWideBars(
  gantt: Gantt,
  begin: number,
  end: number,
  least: number,
  each: (row: number, lane: number, from: number, until: number) => void,
): void {
  for (let lane = 0; lane < gantt.lanes; lane += 1) {
    const last = at(gantt.laneStart, lane + 1);
    for (
      let bar = firstBar(gantt, lane, begin);
      bar < last && at(gantt.begin, bar) < end;
      bar += 1
    ) {
      const from = at(gantt.begin, bar);
      const until = at(gantt.end, bar);
      if (until - from >= least && until > begin) each(at(gantt.row, bar), lane, from, until);
    }
  }
}
