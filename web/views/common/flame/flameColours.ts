import { categoryColour } from '../../../domain/categories';
import type { FlameColour } from '../../../state/flame';
import type { FlameBoxes } from './flameBoxes';

/**
 * Colours that frame labels can be read on and that are told apart with any colour vision.
 */
const hashed = [
  '--pk-user',
  '--pk-awk',
  '--pk-uproot',
  '--pk-num',
  '--pk-hist',
  '--pk-io',
  '--pk-coffea',
  '--pk-oth',
] as const;

/** The same text has the same colour in every profile and run. */
export function hashColour(text: string): string {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hashed[(hash >>> 8) % hashed.length] ?? '--pk-oth';
}

/** Self shares in steps, pale to strong; the two strongest of the scale would hide the labels. */
const heat = ['--seq-1', '--seq-2', '--seq-3', '--seq-4'] as const;

export function selfColour(share: number): string {
  const step = share <= 0 ? 0 : share < 0.1 ? 1 : share < 0.5 ? 2 : 3;
  return heat[step] ?? '--seq-1';
}

/** Measured, and named by the analysis: no function. */
export const isSection = (boxes: FlameBoxes, box: number): boolean =>
  boxes.file(box) === '(section)';

export function boxColour(boxes: FlameBoxes, by: FlameColour): (box: number) => string {
  const textOf = by === 'package' ? boxes.package : by === 'file' ? boxes.file : boxes.name;
  return (box) => {
    if (boxes.frameOf(box) < 0) return '--pk-dask';
    if (isSection(boxes, box)) return '--ph-process';
    if (by === 'category') return categoryColour(boxes.category(box));
    if (by === 'self') {
      const total = boxes.totalOf(box);
      return selfColour(total > 0 ? boxes.selfOf(box) / total : 0);
    }
    return hashColour(textOf(box));
  };
}
