// The best that each figure has ever been (best.json), and how what is measured now compares. A
// figure is then held against its best, not against what it was before the last change, of which
// each may cost a little.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('best.json', import.meta.url);

export const readBest = () => JSON.parse(readFileSync(file, 'utf8'));

/** Sizes and versions differ between machines; a figure is the same figure without them. */
const keyOf = ({ name, peerName }) =>
  [name.replace(/\b\d+ MB, /, ''), peerName?.replace(/,? [\w/]*\d+(\.\d+)+.*$/, '')]
    .filter(Boolean)
    .join(' : ');

/** A ratio is measured on a machine that does other things, too. */
const noise = 0.1;

/**
 * How `figures` of this run compare with the best: [{ name, now, best, moved }], `moved` being
 * 'slower', 'better' or ''. Figures without a peer have no ratio.
 */
export function againstBest(figures, { ratios } = readBest()) {
  return figures
    .filter(({ peer, ours }) => peer > 0 && ours > 0)
    .map((figure) => {
      const name = keyOf(figure);
      const now = figure.peer / figure.ours;
      const best = ratios[name];
      const moved =
        best === undefined || now > best ? 'better' : now < best * (1 - noise) ? 'slower' : '';
      return { name, now, best, moved };
    });
}

/** Keeps what of `rows` is better than ever. */
export function keepBest(rows) {
  const best = readBest();
  for (const { name, now, moved } of rows)
    if (moved === 'better') best.ratios[name] = Number(now.toFixed(3));
  writeBest(best);
}

export const writeBest = (best) => writeFileSync(file, `${JSON.stringify(best, null, 2)}\n`);
