import type { RunId } from '../engine/engine';
import { answerOf } from './answers';
import { marksOf, searchOf, treeOptions, wholeOf } from './callTree';
import { flame, plainFlame } from './flame';
import { pendingLink } from './link';
import type { ViewId } from './view';

/**
 * Asks what `view` will ask of what was just opened: the core answers while the page is still being
 * put up. The view finds the answers, or waits for the same ones, and says what is wrong with them.
 */
export function askAhead([run, ...others]: readonly RunId[], view: ViewId): void {
  const link = pendingLink.peek();
  if (run === undefined || others.length > 0 || view !== 'flame' || link?.selection) return;
  const shown = link ? (link.flame ?? plainFlame) : flame.peek();
  answerOf(run, 'profiles').catch(ignored);
  const whole = wholeOf(treeOptions(shown));
  answerOf(run, 'flame', whole).catch(ignored);
  const search = searchOf(shown);
  if (search) answerOf(run, 'flame', marksOf(whole, search)).catch(ignored);
}

const ignored = () => undefined;
