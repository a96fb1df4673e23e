import { batch, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Selection } from '../engine/engine';
import { activeRunId } from './runs';
import { select, selection, selectTime, type TimeRange } from './selection';

/** Undo and redo of what is selected. A drag is one step, however far it went. */

/** A selection is being dragged: what it passes is no step of its own. */
export const brushing = signal(false);

const kept = 100;
let past: Selection[] = [];
let future: Selection[] = [];
const present = signal<Selection>(selection.peek());
let run = activeRunId.peek();

/** What is selected; while it is dragged, what was before. */
export const settledSelection: ReadonlySignal<Selection> = present;

effect(() => {
  const now = selection.value;
  if (brushing.value) return;
  if (activeRunId.value !== run) {
    // what was selected of another run cannot come back
    run = activeRunId.value;
    past = [];
    future = [];
  } else if (JSON.stringify(now) !== JSON.stringify(present.peek())) {
    past = [...past.slice(1 - kept), present.peek()];
    future = [];
  }
  present.value = now;
});

function step(from: Selection[], to: Selection[]): boolean {
  const next = from.pop();
  if (!next) return false;
  to.push(present.peek());
  // the effect above must find nothing new
  present.value = next;
  select(next);
  return true;
}

/** Goes back to what was selected before; false when there is nothing before. */
export const undoSelection = (): boolean => step(past, future);

/** Takes the last undo back. */
export const redoSelection = (): boolean => step(future, past);

/** Selects what is being dragged, which becomes a step when it is `done`. */
export function brushTime(range: TimeRange | undefined, done: boolean): void {
  batch(() => {
    brushing.value = !done;
    selectTime(range);
  });
}
