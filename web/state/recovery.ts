import { batch, signal } from '@preact/signals';
import { engine } from './engine';
import { forgetAnswers } from './keptAnswers';
import { openAgain } from './opening';
import { activeRunId, type Origin, openRuns } from './runs';

/** What the core took with it when it crashed, and why it did. */
export interface Lost {
  why: string;
  titles: string[];
  /** where they came from: handles of files, addresses */
  origins: Origin[];
}

export const lost = signal<Lost | undefined>(undefined);

/** From now on, a crash of the core closes what was open, and says so; the page goes on. */
export function watchEngine(): void {
  engine().onStopped = (why) => {
    const runs = openRuns.peek();
    if (runs.length === 0) return;
    for (const run of runs) forgetAnswers(run.id);
    batch(() => {
      lost.value = {
        why,
        titles: runs.map((run) => run.title),
        origins: [...new Set(runs.map((run) => run.origin))],
      };
      openRuns.value = [];
      activeRunId.value = undefined;
    });
  };
}

export function forgetLost(): void {
  lost.value = undefined;
}

/** Opens again what was lost. */
export async function reopenLost(): Promise<void> {
  const origins = lost.peek()?.origins ?? [];
  forgetLost();
  for (const origin of origins) await openAgain(origin);
}
