import { type IcicleIndex, indexIcicle } from '../../charts/icicleLayout';
import type { Column, Table } from '../../engine/table';

/** The answer of `flame` with its columns at hand, and its boxes' rows and parents. */
export interface FlameBoxes {
  table: Table;
  index: IcicleIndex;
  count: number;
  /** in samples, or the profile's own unit */
  total: number;
  unit: string;
  /** NaN when samples have no time */
  secondsPerSample: number;
  name: (box: number) => string;
  file: (box: number) => string;
  line: (box: number) => number;
  category: (box: number) => string;
  isUnresolved: (box: number) => boolean;
  totalOf: (box: number) => number;
  selfOf: (box: number) => number;
  selfBounds: (box: number) => [number, number];
  unresolvedOf: (box: number) => number;
  candidates: (box: number) => string;
  /** the same number for the same function; -1 for boxes that are none */
  frameOf: (box: number) => number;
}

export function flameBoxes(table: Table): FlameBoxes {
  const number = (name: string): ArrayLike<number> => (table.has(name) ? table.numbers(name) : new Float64Array());
  const text = (name: string): ((box: number) => string) => {
    if (!table.has(name)) return () => '';
    const column: Column = table.column(name);
    if (column.type !== 'text') return () => '';
    return (box) => table.strings[column.texts[box] ?? -1] ?? '';
  };
  const of = (values: ArrayLike<number>) => (box: number) => values[box] ?? Number.NaN;
  const index = indexIcicle({ depth: number('depth'), begin: number('x0'), end: number('x1') });
  const unresolvedFlags = number('is_unresolved');
  const frames = number('frame_id');
  const noted = table.notes.total;
  const seconds = table.notes.seconds_per_sample;
  const unit = table.notes.unit;
  const selfMin = of(number('self_min'));
  const selfMax = of(number('self_max'));
  return {
    table,
    index,
    count: table.rows,
    total: typeof noted === 'number' ? noted : of(number('total'))(0),
    unit: typeof unit === 'string' ? unit : 'samples',
    secondsPerSample: typeof seconds === 'number' ? seconds : Number.NaN,
    name: text('frame'),
    file: text('file'),
    line: of(number('line')),
    category: text('category'),
    isUnresolved: (box) => unresolvedFlags[box] === 1,
    totalOf: of(number('total')),
    selfOf: of(number('self')),
    selfBounds: (box) => [selfMin(box), selfMax(box)],
    unresolvedOf: of(number('unresolved')),
    candidates: text('candidates'),
    frameOf: (box) => {
      const frame = frames[box];
      return frame === undefined || Number.isNaN(frame) ? -1 : frame;
    },
  };
}

/** "coffea/processor/executor.py:210"; the line only where it is known. */
export function placeText(boxes: FlameBoxes, box: number): string {
  const file = boxes.file(box);
  const line = boxes.line(box);
  return file && Number.isFinite(line) && line > 0 ? `${file}:${line}` : file;
}

/** The time all boxes of this box's function cover together; nested ones once. */
export function allInstances(boxes: FlameBoxes, box: number): { width: number; instances: number } {
  const frame = boxes.frameOf(box);
  if (frame < 0) return { width: widthOf(boxes, box), instances: 1 };
  const { byDepth, parent } = boxes.index;
  const covered = new Uint8Array(boxes.count);
  let width = 0;
  let instances = 0;
  for (const row of byDepth) {
    for (const candidate of row) {
      const above = parent[candidate] ?? -1;
      const isIt = boxes.frameOf(candidate) === frame;
      if (isIt) instances += 1;
      if (above >= 0 && covered[above]) covered[candidate] = 1;
      else if (isIt) {
        covered[candidate] = 1;
        width += widthOf(boxes, candidate);
      }
    }
  }
  return { width, instances };
}

export const widthOf = (boxes: FlameBoxes, box: number): number =>
  (boxes.index.boxes.end[box] ?? 0) - (boxes.index.boxes.begin[box] ?? 0);
