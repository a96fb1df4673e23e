import { type Column, Table } from '../../../engine/table';
import { type IcicleIndex, indexIcicle } from '../../../plot/icicleLayout';
import type { Range } from '../../../plot/timeAxis';
import { type Amounts, amountsOf } from './amounts';

/** The answer of `flame` with its columns at hand, and its boxes' rows and parents. */
export interface FlameBoxes extends Amounts {
  table: Table;
  /** the same boxes without the marks of a search; itself where it has none */
  unmarked: FlameBoxes;
  index: IcicleIndex;
  count: number;
  /** runs of library frames are one box each */
  isFolded: boolean;
  /** in the profile's unit, where boxes stand in the order of time: what the picture is of */
  time: Range | undefined;
  name: (box: number) => string;
  file: (box: number) => string;
  line: (box: number) => number;
  category: (box: number) => string;
  /** those that there are */
  categories: () => ReadonlySet<string>;
  isUnresolved: (box: number) => boolean;
  totalOf: (box: number) => number;
  selfOf: (box: number) => number;
  selfBounds: (box: number) => [number, number];
  unresolvedOf: (box: number) => number;
  /** the part of self that is shared out, not certain */
  estimatedOf: (box: number) => number;
  /** the seconds of self on a CPU; NaN where that is not known */
  onCpuOf: (box: number) => number;
  candidates: (box: number) => string;
  package: (box: number) => string;
  /** how many narrow boxes it stands for; 0 = it is a box */
  more: (box: number) => number;
  /** marked by the search; undefined when the answer is of none */
  isMatch: ((box: number) => boolean) | undefined;
  /** the number of its stack; NaN for the root and what is no stack */
  path: (box: number) => number;
  /** the same for the same box in every answer about the tree */
  keyOf: (box: number) => string;
  boxOf: (key: string) => number;
  /** the same number for the same function; -1 for boxes that are none */
  frameOf: (box: number) => number;
}

export function flameBoxes(table: Table): FlameBoxes {
  const number = (name: string): ArrayLike<number> =>
    table.has(name) ? table.numbers(name) : new Float64Array();
  const text = (name: string): ((box: number) => string) => {
    if (!table.has(name)) return () => '';
    const column: Column = table.column(name);
    if (column.type !== 'text') return () => '';
    return (box) => table.strings[column.texts[box] ?? -1] ?? '';
  };
  const flagged = (values: ArrayLike<number>) => (box: number) => values[box] === 1;
  const of = (values: ArrayLike<number>) => (box: number) => values[box] ?? Number.NaN;
  const index = indexIcicle({ depth: number('depth'), begin: number('x0'), end: number('x1') });
  const isUnresolved = flagged(number('is_unresolved'));
  const more = of(number('more'));
  const path = of(number('path'));
  const node = of(number('node'));
  const inTime = table.notes.order === 'time';
  const keyOf = (box: number): string => {
    if (box < 0 || more(box) > 0) return '';
    if (isUnresolved(box)) return `u${node(box)}`;
    const known = path(box);
    if (Number.isNaN(known)) return 'root';
    return inTime ? `${known}@${(index.boxes.begin[box] ?? 0).toPrecision(9)}` : String(known);
  };
  let places: Map<string, number> | undefined;
  const frames = number('frame_id');
  const { total, unit, secondsPerSample } = amountsOf(table.notes);
  const { time_begin: begin, time_extent: extent } = table.notes;
  const selfMin = of(number('self_min'));
  const selfMax = of(number('self_max'));
  const boxes: FlameBoxes = {
    table,
    get unmarked() {
      return boxes;
    },
    index,
    count: table.rows,
    isFolded: /(^|;)group:library/.test(String(table.notes.transform ?? '')),
    total: Number.isNaN(total) ? of(number('total'))(0) : total,
    // what two runs of a cluster are compared in
    unit: table.question === 'flame_diff' && unit === 's' ? 'core-s' : unit,
    secondsPerSample,
    time:
      typeof begin === 'number' && typeof extent === 'number' ? [begin, begin + extent] : undefined,
    name: text('frame'),
    file: text('file'),
    line: of(number('line')),
    category: text('category'),
    categories: () => {
      const column = table.has('category') ? table.column('category') : undefined;
      const ids = column?.type === 'text' ? Array.from(new Set(column.texts)) : [];
      return new Set(ids.map((id) => table.strings[id] ?? ''));
    },
    isUnresolved,
    totalOf: of(number('total')),
    selfOf: of(number('self')),
    selfBounds: (box) => [selfMin(box), selfMax(box)],
    unresolvedOf: of(number('unresolved')),
    estimatedOf: of(number('estimated')),
    onCpuOf: of(number('on_cpu')),
    candidates: text('candidates'),
    package: text('package'),
    more,
    isMatch: table.notes.matched_total === undefined ? undefined : flagged(number('matched')),
    path,
    keyOf,
    boxOf: (key) => {
      if (!key) return -1;
      if (!places) {
        places = new Map();
        for (let box = 0; box < table.rows; box += 1) places.set(keyOf(box), box);
      }
      return places.get(key) ?? -1;
    },
    frameOf: (box) => {
      const frame = frames[box];
      return frame === undefined || Number.isNaN(frame) ? -1 : frame;
    },
  };
  return boxes;
}

const markedBy = ['profile_id', 'transform', 'shown_leaves', 'order', 'begin', 'end'] as const;

/** The boxes with what an answer of marks says of them; as they are where it is about others. */
export function withMarks(boxes: FlameBoxes, marks: Table | undefined): FlameBoxes {
  const { table, unmarked } = boxes;
  if (
    marks?.rows !== table.rows ||
    !markedBy.every((name) => marks.notes[name] === table.notes[name])
  )
    return boxes;
  const matched = marks.numbers('matched');
  const columns = table.columns.map((column) =>
    column.name === 'matched' ? marks.column('matched') : column,
  );
  const notes = { ...table.notes, ...marks.notes };
  return {
    ...boxes,
    unmarked,
    table: new Table({ ...table, columns, notes }),
    isMatch: (box) => matched[box] === 1,
  };
}

/** The pattern that names exactly the function of a box. */
export function functionPattern(boxes: FlameBoxes, box: number): string {
  const library = libraryOf(boxes, box);
  if (library) return `${library === boxes.category(box) ? 'category' : 'package'}=${library}`;
  const place = placeText(boxes, box);
  const line = boxes.line(box);
  const at = place ? `@${place}` : Number.isFinite(line) && line > 0 ? `:${line}` : '';
  return `function=${boxes.name(box)}${at}`;
}

/** "coffea/processor/executor.py:210"; the line only where it is known. */
export function placeText(boxes: FlameBoxes, box: number): string {
  const file = libraryOf(boxes, box) ? '' : boxes.file(box);
  const line = boxes.line(box);
  return file && Number.isFinite(line) && line > 0 ? `${file}:${line}` : file;
}

/** The library whose run of frames a box stands for; '' = it is one frame. */
export const libraryOf = (boxes: FlameBoxes, box: number): string =>
  boxes.file(box).endsWith('/') ? boxes.name(box) : '';

export const widthOf = (boxes: FlameBoxes, box: number): number =>
  (boxes.index.boxes.end[box] ?? 0) - (boxes.index.boxes.begin[box] ?? 0);

/** The box that matches next to `from`, row by row from left to right, round and round. */
export function neighbourHit(boxes: FlameBoxes, from: number, by: number): number {
  const hits = boxes.index.byDepth.flatMap((row) =>
    Array.from(row).filter((box) => boxes.isMatch?.(box) && !(boxes.more(box) > 0)),
  );
  if (hits.length === 0) return -1;
  const at = hits.indexOf(from);
  return hits[(at + (at < 0 && by < 0 ? 0 : by) + hits.length) % hits.length] ?? -1;
}
