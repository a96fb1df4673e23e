import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Engine, RunId, Selection } from '../engine/engine';
import type { Table } from '../engine/table';
import { engine } from './engine';
import { processorOption } from './processor';

export type QuestionOptions = Record<string, string | number | boolean>;

/** What is known of the answer to a question at this moment. */
export interface Answer {
  /** the latest answer; while a newer one is awaited, the one before it */
  table?: Table | undefined;
  /** the core's sentence when it refused */
  error?: string | undefined;
  /** a newer answer is on its way */
  pending: boolean;
}

/** Answers never change while a run is open: the last ones are kept so that going back to a view is immediate. */
const kept = new Map<string, { run: RunId; table: Table }>();
const keptAtMost = 60;

function keep(key: string, run: RunId, table: Table): void {
  kept.set(key, { run, table });
  if (kept.size <= keptAtMost) return;
  const oldest = kept.keys().next();
  if (!oldest.done) kept.delete(oldest.value);
}

/** Questions under way: several places that ask the same at the same time share one answer. */
const underWay = new WeakMap<Engine, Map<string, Promise<Table>>>();

function askOnce({ key, run, question, selection, options }: Request): Promise<Table> {
  const asked = engine();
  const flights = underWay.get(asked) ?? new Map<string, Promise<Table>>();
  underWay.set(asked, flights);
  const flying = flights.get(key);
  if (flying) return flying;
  const answer = asked.ask(question, { runs: [run], selection, options }).finally(() => flights.delete(key));
  flights.set(key, answer);
  return answer;
}

export function forgetAnswers(run: RunId): void {
  for (const [key, entry] of kept) if (entry.run === run) kept.delete(key);
}

/**
 * Questions go to the worker a few at a time. Who waits for a turn decides what to ask only when it comes: of what was wanted
 * meanwhile only the newest is computed, whoever waits first goes first, and a view that was left asks nothing more.
 */
class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  /** Undefined when the turn is there at once. */
  take(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** One is computed while the answer to the other is on its way. */
const atOnce = 2;
const turnsOf = new WeakMap<Engine, Turns>();

function turnsNow(): Turns {
  const asked = engine();
  const turns = turnsOf.get(asked) ?? new Turns(atOnce);
  turnsOf.set(asked, turns);
  return turns;
}

export interface Request {
  key: string;
  run: RunId;
  question: string;
  selection: Selection;
  options: QuestionOptions;
}

/**
 * One asker per place on the page: at most one question is under way; of those that came meanwhile only the newest is asked
 * (a brush makes sixty a second), and an answer to an old one is not shown after a newer one.
 */
export class Asker {
  #show: (answer: Answer) => void;
  #shown: Answer = { pending: false };
  #shownRun: RunId | undefined;
  #wanted: Request | undefined;
  #underWay = false;
  /** the request that is answered */
  #settled = '';
  #closed = false;

  constructor(show: (answer: Answer) => void) {
    this.#show = show;
  }

  close(): void {
    this.#closed = true;
  }

  want(request: Request | undefined): void {
    if (request?.key === this.#wanted?.key) return;
    this.#wanted = request;
    const known = request && kept.get(request.key);
    this.#settled = known ? request.key : '';
    // the picture of another run would be a lie under this run's name
    const before = request && this.#shownRun === request.run ? this.#shown : {};
    this.#shownRun = request?.run;
    if (known) this.#set({ table: known.table, pending: false });
    else this.#set({ ...before, pending: request !== undefined });
    if (request && !known) void this.#ask();
  }

  #set(answer: Answer): void {
    this.#shown = answer;
    if (!this.#closed) this.#show(answer);
  }

  async #ask(): Promise<void> {
    if (this.#underWay) return;
    this.#underWay = true;
    while (this.#open()) {
      const turns = turnsNow();
      const turn = turns.take();
      if (turn) await turn;
      const request = this.#open();
      const known = request && kept.get(request.key);
      if (known) this.#settle(request, { table: known.table, pending: false });
      else if (request) await this.#answer(request);
      turns.give();
    }
    this.#underWay = false;
  }

  /** What is wanted and not yet known. */
  #open(): Request | undefined {
    const wanted = this.#closed ? undefined : this.#wanted;
    return wanted?.key !== this.#settled ? wanted : undefined;
  }

  #settle({ key }: Request, answer: Answer): void {
    this.#settled = key;
    this.#set(answer);
  }

  async #answer(request: Request): Promise<void> {
    const { run } = request;
    try {
      const table = await askOnce(request);
      keep(request.key, run, table);
      if (this.#wanted?.key === request.key) this.#settle(request, { table, pending: false });
      // an intermediate answer of the same run is shown too: it is nearer to the wish than the picture before it
      else if (this.#wanted?.run === run) this.#set({ table, pending: true });
    } catch (problem) {
      if (this.#wanted?.key !== request.key) return;
      this.#settle(request, { error: problem instanceof Error ? problem.message : String(problem), pending: false });
    }
  }
}

/** Asks `question` of `run` and keeps the last picture until the new answer is there. `question` '' asks nothing. */
export function useAnswer(
  run: RunId | undefined,
  question: string,
  selection: Selection = {},
  options: QuestionOptions = {},
): Answer {
  const [answer, show] = useState<Answer>({ pending: question !== '' });
  const [asker] = useState(() => new Asker(show));
  const asked = { ...processorOption(run, question), ...options };
  const key = run === undefined || !question ? '' : JSON.stringify([run, question, selection, asked]);
  useLayoutEffect(() => {
    asker.want(run === undefined || !key ? undefined : { key, run, question, selection, options: asked });
  }, [key]);
  useEffect(() => () => asker.close(), []);
  return answer;
}
