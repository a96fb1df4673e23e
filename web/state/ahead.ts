import type { RunId } from '../engine/engine';
import type { OptionsOf, QuestionName } from '../engine/questions';
import { answerOf } from './answers';
import { marksOf, searchOf, treeOptions, wholeOf } from './callTree';
import { levelOptions } from './chances';
import { coreTimeOptions } from './coreTime';
import { type FlameState, flame, plainFlame } from './flame';
import { pendingLink } from './link';
import type { Permalink } from './permalink';
import { openRuns } from './runs';
import type { ViewId } from './view';

/**
 * Asks what `view` shows first of what was just opened: the core answers while the page is still
 * being put up, and before what else the page asks. The view finds the answers, or waits for the
 * same ones, and says what is wrong with them.
 */
export function askAhead(runs: readonly RunId[], view: ViewId): void {
  const link = pendingLink.peek();
  const [run, ...others] = runs;
  if (run === undefined || link?.selection || (link?.view && link.view !== view)) return;
  if (view === 'history') askHistory([...openRuns.peek().map(({ id }) => id), ...runs]);
  if (others.length > 0) return;
  if (view === 'flame') askFlame(run, link ? (link.flame ?? plainFlame) : flame.peek());
  if (view === 'summary') askSummary(run, link);
}

function ask<Q extends QuestionName>(
  runs: RunId | readonly RunId[],
  question: Q,
  options?: OptionsOf<Q>,
): void {
  answerOf(runs, question, options).catch(() => undefined);
}

function askHistory(runs: readonly RunId[]): void {
  ask(runs, 'history');
  ask(runs, 'history_series');
  ask(runs, 'history_levels', levelOptions());
}

function askFlame(run: RunId, shown: FlameState): void {
  ask(run, 'profiles');
  const whole = wholeOf(treeOptions(shown));
  ask(run, 'flame', whole);
  const search = searchOf(shown);
  if (search) ask(run, 'flame', marksOf(whole, search));
}

function askSummary(run: RunId, link: Permalink | undefined): void {
  // the picture first: the numbers above it are made of much of what it is made of
  ask(run, 'core_time_tree', coreTimeOptions(link?.coreTimeSplit, link?.coreTimeZoom));
  ask(run, 'summary');
  ask(run, 'budget');
  ask(run, 'datasets');
}
