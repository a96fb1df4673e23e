import { at, firstWhere } from './numbers';

/**
 * Boxes of a tree drawn as an icicle: equal-length columns, a child lies within its parent one row
 * deeper.
 */
export interface IcicleBoxes {
  depth: ArrayLike<number>;
  /** of the whole width, 0 … 1 */
  begin: ArrayLike<number>;
  end: ArrayLike<number>;
}

export interface IcicleIndex {
  boxes: IcicleBoxes;
  rows: number;
  /** box numbers per depth, from left to right */
  byDepth: Uint32Array[];
  /** the box above; -1 for a root */
  parent: Int32Array;
}

/** Finds each box's row and parent, whatever order the boxes come in. */
export function indexIcicle(boxes: IcicleBoxes): IcicleIndex {
  const count = boxes.depth.length;
  const perDepth: number[] = [];
  for (let i = 0; i < count; i += 1)
    perDepth[at(boxes.depth, i)] = (perDepth[at(boxes.depth, i)] ?? 0) + 1;
  const byDepth = Array.from(perDepth, (length) => new Uint32Array(length ?? 0));
  const filled = new Uint32Array(byDepth.length);
  for (let i = 0; i < count; i += 1) {
    const depth = at(boxes.depth, i);
    const row = byDepth[depth];
    if (!row) continue;
    row[at(filled, depth)] = i;
    filled[depth] = at(filled, depth) + 1;
  }
  // boxes without width share a place: among them the order of the answer holds
  const order = (a: number, b: number) =>
    at(boxes.begin, a) - at(boxes.begin, b) || at(boxes.end, a) - at(boxes.end, b) || a - b;
  for (const row of byDepth) if (!isSorted(row, order)) row.sort(order);
  const parent = new Int32Array(count).fill(-1);
  for (let depth = 1; depth < byDepth.length; depth += 1) {
    const above = byDepth[depth - 1] ?? new Uint32Array();
    let candidate = 0;
    for (const box of byDepth[depth] ?? []) {
      const middle = (at(boxes.begin, box) + at(boxes.end, box)) / 2;
      while (candidate + 1 < above.length && at(boxes.end, at(above, candidate)) < middle)
        candidate += 1;
      if (above.length > 0) parent[box] = at(above, candidate);
    }
  }
  return { boxes, rows: byDepth.length, byDepth, parent };
}

/** Answers come from left to right. */
function isSorted(row: Uint32Array, order: (a: number, b: number) => number): boolean {
  for (let place = 1; place < row.length; place += 1)
    if (order(at(row, place - 1), at(row, place)) >= 0) return false;
  return true;
}

/** One thing to draw in a row: a box, or a run of boxes too narrow to be seen apart (box = -1). */
export interface VisibleBox {
  box: number;
  left: number;
  right: number;
}

const narrowest = 0.5;

/**
 * What row `depth` shows of [begin, end] on `width` pixels. Boxes under half a pixel merge into one
 * grey run. The cost goes with the pixels, not with the boxes: after each narrow box the search
 * leaps to the next pixel.
 */
export function visibleBoxes(
  index: IcicleIndex,
  depth: number,
  begin: number,
  end: number,
  width: number,
): VisibleBox[] {
  const row = index.byDepth[depth];
  if (!row) return [];
  const perUnit = width / (end - begin);
  const left = (box: number) => (at(index.boxes.begin, box) - begin) * perUnit;
  const right = (box: number) => (at(index.boxes.end, box) - begin) * perUnit;
  const result: VisibleBox[] = [];
  let i = firstEndingAfter(index, row, begin, 0);
  while (i < row.length) {
    const box = at(row, i);
    const boxLeft = left(box);
    if (boxLeft >= width) break;
    const boxRight = right(box);
    if (boxRight - boxLeft >= narrowest) {
      result.push({ box, left: boxLeft, right: boxRight });
      i += 1;
      continue;
    }
    const last = result[result.length - 1];
    const runEnd = Math.max(boxRight, boxLeft + narrowest);
    if (last && last.box < 0 && boxLeft - last.right <= 1)
      last.right = Math.max(last.right, runEnd);
    else result.push({ box: -1, left: boxLeft, right: runEnd });
    const leap = firstEndingAfter(index, row, begin + runEnd / perUnit, i + 1);
    // what is leapt over must all have been narrow, which their places within one pixel make sure
    // of
    i = Math.max(i + 1, leap);
  }
  return result;
}

/** The first place in `row`, from `from` on, whose box ends after `position`. */
const firstEndingAfter = (
  index: IcicleIndex,
  row: Uint32Array,
  position: number,
  from: number,
): number =>
  firstWhere(from, row.length, (place) => at(index.boxes.end, at(row, place)) > position);

/** The box at `position` (0 … 1) in row `depth`; -1 when there is none. */
export function boxAt(index: IcicleIndex, depth: number, position: number): number {
  const row = index.byDepth[depth];
  if (!row) return -1;
  const place = firstEndingAfter(index, row, position, 0);
  const box = row[place];
  return box !== undefined && at(index.boxes.begin, box) <= position ? box : -1;
}

export function childrenOf(index: IcicleIndex, box: number): number[] {
  const row = index.byDepth[at(index.boxes.depth, box) + 1];
  return row ? Array.from(row).filter((child) => at(index.parent, child) === box) : [];
}

/** From `box` up to its root. */
export function ancestry(index: IcicleIndex, box: number): number[] {
  const result: number[] = [];
  for (let walk = box; walk >= 0; walk = at(index.parent, walk)) result.push(walk);
  return result;
}
