import { signal } from '@preact/signals';
import type { Engine, RunId, Selection } from '../engine/engine';
import type { OptionsOf, QuestionName } from '../engine/questions';
import type { Table } from '../engine/table';
import { anywhere, type Place } from '../ui/sight';
import { engine } from './engine';
import { forgetAnswers, keep, keptAnswer } from './keptAnswers';
import { processorOf } from './processor';

export type QuestionOptions = Record<string, string | number | boolean>;

/** What is known of the answer to a question at this moment. */
export interface Answer<Q extends QuestionName = QuestionName> {
  /** the latest answer; while a newer one is awaited, the one before it */
  table?: Table<Q> | undefined;
  /** the core's sentence when it refused */
  error?: string | undefined;
  /** a newer answer is on its way */
  pending: boolean;
}

/** Questions under way: several places that ask the same at the same time share one answer. */
const underWay = new WeakMap<Engine, Map<string, Promise<Table>>>();

function flightsNow(): Map<string, Promise<Table>> {
  const asked = engine();
  const flights = underWay.get(asked) ?? new Map<string, Promise<Table>>();
  underWay.set(asked, flights);
  return flights;
}

function askOnce({ key, runs, question, selection, options }: Request): Promise<Table> {
  const asked = engine();
  const flights = flightsNow();
  const flying = flights.get(key);
  if (flying) return flying;
  const answer = asked
    .ask(question, { runs: [...runs], selection, options })
    .finally(() => flights.delete(key));
  flights.set(key, answer);
  return answer;
}

/**
 * How far a run has come is cheap to compute, and what one looks at while it grows. All else
 * (findings, where the core-time went) may be some seconds older.
 */
export type Kind = 'progress' | 'rest';
const kindOf = (question: QuestionName): Kind =>
  question === 'progress' || question === 'summary' ? 'progress' : 'rest';

/** How often the answers about a run had to be asked for again, by run and kind. */
const renewed = signal<ReadonlyMap<string, number>>(new Map());
const timesOf = (run: RunId, kind: Kind): number => renewed.value.get(`${run} ${kind}`) ?? 0;

/** What is on screen of these runs is asked for again, and what was kept is forgotten. */
export function askAgain(runs: readonly RunId[], kinds: readonly Kind[]): void {
  const times = new Map(renewed.peek());
  for (const run of runs) {
    if (kinds.includes('rest')) forgetAnswers(run);
    for (const kind of kinds) times.set(`${run} ${kind}`, (times.get(`${run} ${kind}`) ?? 0) + 1);
  }
  renewed.value = times;
}

/** Where an answer is shown. */
export type Shown = Pick<Place, 'isInSight'>;

/** These take the core tens of milliseconds of a large run, in which the page draws what comes soon. */
const long: ReadonlySet<QuestionName> = new Set(['summary', 'why', 'chunk_sizes']);

interface Turn {
  place: Shown;
  isLong: boolean;
}

/**
 * Questions go to the worker a few at a time: those of places in sight before the others, of these
 * the long ones last, else whoever waits first. Who waits for a turn decides what to ask only when
 * it comes: of what was wanted meanwhile only the newest is computed, and a view that was left asks
 * nothing more.
 */
class RequestLimiter {
  readonly #most: number;
  readonly #underWay: Turn[] = [];
  readonly #waiting: { turn: Turn; begin: () => void }[] = [];
  #whenIdle: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Nobody in sight has a turn, or waits for one, but for what takes long. */
  get isSightIdle(): boolean {
    return ![...this.#underWay, ...this.#waiting.map(({ turn }) => turn)].some(
      ({ place, isLong }) => place.isInSight && !isLong,
    );
  }

  /** Once nobody has a turn. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#tellIdle();
    });
  }

  #tellIdle(): void {
    if (this.#underWay.length + this.#waiting.length > 0) return;
    for (const tell of this.#whenIdle) tell();
    this.#whenIdle = [];
  }

  /** What is wanted at the same time is put in order before the first has its turn. */
  take(turn: Turn): Promise<void> {
    return new Promise<void>((begin) => {
      this.#waiting.push({ turn, begin });
      queueMicrotask(() => this.#begin());
    });
  }

  #begin(): void {
    while (this.#underWay.length < this.#most && this.#waiting.length > 0) {
      const ranks = this.#waiting.map(
        ({ turn }) => (turn.place.isInSight ? 0 : 2) + Number(turn.isLong),
      );
      const [next] = this.#waiting.splice(ranks.indexOf(Math.min(...ranks)), 1);
      if (!next) return;
      this.#underWay.push(next.turn);
      next.begin();
    }
  }

  give(turn: Turn): void {
    this.#underWay.splice(this.#underWay.indexOf(turn), 1);
    this.#begin();
    this.#tellIdle();
  }
}

/** One is computed while the answers to others are on their way. */
const atOnce = 4;
const limiters = new WeakMap<Engine, RequestLimiter>();

export function limiterNow(): RequestLimiter {
  const asked = engine();
  const limiter = limiters.get(asked) ?? new RequestLimiter(atOnce);
  limiters.set(asked, limiter);
  return limiter;
}

export interface Request {
  key: string;
  /** most questions are about one */
  runs: readonly RunId[];
  question: QuestionName;
  selection: Selection;
  options: QuestionOptions;
}

/**
 * The latest query of one place on the page: at most one question is under way; of those that came
 * meanwhile only the newest is asked (a brush makes sixty a second), and an answer to an old one is
 * not shown after a newer one.
 */
export class LatestQuery {
  #show: (answer: Answer) => void;
  readonly #place: Shown;
  #shown: Answer = { pending: false };
  /** the runs of the shown picture, as text */
  #shownRuns: string | undefined;
  #wanted: Request | undefined;
  #underWay = false;
  /** the request that is answered */
  #settled = '';
  #closed = false;

  /** `show` is told of answers as they come. */
  constructor(show: (answer: Answer) => void, place: Shown = anywhere) {
    this.#show = show;
    this.#place = place;
  }

  close(): void {
    this.#closed = true;
  }

  /** From now on this is wanted: what is known of it before it is asked. */
  expect(request: Request | undefined): Answer {
    if (request?.key === this.#wanted?.key) return this.#shown;
    this.#wanted = request;
    const table = keptAnswer(request?.key);
    this.#settled = request && table ? request.key : '';
    // the picture of another run would be a lie under this run's name
    const before = request && this.#shownRuns === String(request.runs) ? this.#shown : {};
    this.#shownRuns = request && String(request.runs);
    this.#shown = table ? { table, pending: false } : { ...before, pending: request !== undefined };
    return this.#shown;
  }

  /** Asks what is wanted and not yet known. */
  async ask(): Promise<void> {
    if (this.#underWay) return;
    this.#underWay = true;
    for (let request = this.#open(); request; request = this.#open()) {
      // what is asked already needs no turn
      if (flightsNow().has(request.key)) await this.#answer(request);
      else await this.#askInTurn(request);
    }
    this.#underWay = false;
  }

  async #askInTurn({ question }: Request): Promise<void> {
    const limiter = limiterNow();
    const turn = { place: this.#place, isLong: long.has(question) };
    await limiter.take(turn);
    const request = this.#open();
    const known = keptAnswer(request?.key);
    if (request && known) this.#settle(request, { table: known, pending: false });
    else if (request) await this.#answer(request);
    limiter.give(turn);
  }

  /** What is wanted and not yet known. */
  #open(): Request | undefined {
    const wanted = this.#closed ? undefined : this.#wanted;
    return wanted?.key !== this.#settled ? wanted : undefined;
  }

  #set(answer: Answer): void {
    this.#shown = answer;
    if (!this.#closed) this.#show(answer);
  }

  #settle({ key }: Request, answer: Answer): void {
    this.#settled = key;
    this.#set(answer);
  }

  async #answer(request: Request): Promise<void> {
    const { runs } = request;
    try {
      const table = await askOnce(request);
      keep(request.key, request, table);
      if (this.#wanted?.key === request.key) this.#settle(request, { table, pending: false });
      // an intermediate answer of the same run is shown too: it is nearer to the wish than the
      // picture before it, unless the wish has gone back to what is known
      else if (this.#open() && String(this.#wanted?.runs) === String(runs))
        this.#set({ table, pending: true });
    } catch (problem) {
      if (this.#wanted?.key !== request.key) return;
      this.#settle(request, {
        error: problem instanceof Error ? problem.message : String(problem),
        pending: false,
      });
    }
  }
}

export function requestFor(
  runs: readonly RunId[],
  question: QuestionName,
  selection: Selection,
  given: QuestionOptions,
): Request {
  const processor = runs.map(processorOf).find((prefix) => prefix !== undefined);
  const options = processor === undefined ? given : { processor, ...given };
  // the form that a question about one run has always had
  const asked = runs.length === 1 ? runs[0] : runs;
  const again = runs.map((run) => timesOf(run, kindOf(question)));
  return {
    key: JSON.stringify([asked, question, selection, options, again]),
    runs,
    question,
    selection,
    options,
  };
}

/** The answer to `question` about all of the runs, for who is no component; kept as theirs are. */
export async function answerOf<Q extends QuestionName>(
  of: RunId | readonly RunId[],
  question: Q,
  options: OptionsOf<Q> = {},
): Promise<Table<Q>> {
  const runs = typeof of === 'number' ? [of] : of;
  const request = requestFor(runs, question, {}, options);
  const table = keptAnswer(request.key) ?? (await askOnce(request));
  keep(request.key, request, table);
  return table as Table<Q>;
}
