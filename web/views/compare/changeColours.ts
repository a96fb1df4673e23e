import { interpolateRgbBasis } from 'd3-interpolate';
import { colour } from '../../plot/palette';

/** The factor that has the full colour. */
const full = 4;

/** Where between ¼ (−1) and 4 times (1) of A it is; 0 where the noise says nothing. */
export function changeLevel(a: number, b: number, noteworthy: number): number {
  if (noteworthy === 0 || a === b) return 0;
  return Math.max(-1, Math.min(1, Math.log(b / a) / Math.log(full)));
}

/** The colours of levels −1 … 1 in the theme of now. */
export function levelColours(): (level: number) => string {
  const half = (...tokens: string[]) => interpolateRgbBasis(tokens.map(colour));
  const more = half('--div-equal', '--div-more-2', '--div-more');
  const less = half('--div-equal', '--div-less-2', '--div-less');
  return (level) => (level < 0 ? less(-level) : more(level));
}
