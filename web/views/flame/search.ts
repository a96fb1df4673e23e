import { coveredWidth } from '../../charts/icicleLayout';
import type { FlameBoxes } from './flameBoxes';

export interface Matches {
  /** per box */
  isMatch: (box: number) => boolean;
  /** boxes that match */
  hits: number;
  /** of the whole width, nested ones once */
  share: number;
  /** from the widest on */
  widest: number;
}

/** Boxes whose name or file holds `text`, whatever the case; undefined for no text. */
export function search(boxes: FlameBoxes, text: string): Matches | undefined {
  const needle = text.trim().toLowerCase();
  if (!needle) return undefined;
  // the texts of an answer are few, its boxes many
  const holds = boxes.table.strings.map((entry) => entry.toLowerCase().includes(needle));
  const columnOf = (name: string) => {
    const column = boxes.table.has(name) ? boxes.table.column(name) : undefined;
    return column?.type === 'text' ? column.texts : undefined;
  };
  const names = columnOf('frame');
  const files = columnOf('file');
  const matched = new Uint8Array(boxes.count);
  let hits = 0;
  let widest = -1;
  let widestTotal = -1;
  for (let box = 0; box < boxes.count; box += 1) {
    if (boxes.isUnresolved(box) || boxes.frameOf(box) < 0) continue;
    if (!holds[names?.[box] ?? -1] && !holds[files?.[box] ?? -1]) continue;
    matched[box] = 1;
    hits += 1;
    if (boxes.totalOf(box) > widestTotal) {
      widest = box;
      widestTotal = boxes.totalOf(box);
    }
  }
  const isMatch = (box: number) => matched[box] === 1;
  return { isMatch, hits, widest, share: coveredWidth(boxes.index, isMatch) };
}
