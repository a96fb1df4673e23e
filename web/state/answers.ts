import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Engine, RunId, Selection } from '../engine/engine';
import type { OptionsOf, QuestionName } from '../engine/questions';
import type { Table } from '../engine/table';
import { anywhere, type Place, usePlace } from '../ui/sight';
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

/**
 * Questions go to the worker a few at a time: those of places in sight before the others, of these
 * whoever waits first. Who waits for a turn decides what to ask only when it comes: of what was
 * wanted meanwhile only the newest is computed, and a view that was left asks nothing more.
 */
class RequestLimiter {
  readonly #most: number;
  readonly #underWay: Shown[] = [];
  readonly #waiting: { place: Shown; begin: () => void }[] = [];
  #whenIdle: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get isIdle(): boolean {
    return this.#underWay.length === 0;
  }

  /** Nobody in sight has a turn, or waits for one. */
  get isSightIdle(): boolean {
    return ![...this.#underWay, ...this.#waiting.map(({ place }) => place)].some(
      ({ isInSight }) => isInSight,
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
    if (!this.isIdle) return;
    for (const tell of this.#whenIdle) tell();
    this.#whenIdle = [];
  }

  /** Undefined when the turn is there at once. */
  take(place: Shown): Promise<void> | undefined {
    if (this.#underWay.length < this.#most) {
      this.#underWay.push(place);
      return undefined;
    }
    return new Promise<void>((begin) => this.#waiting.push({ place, begin }));
  }

  give(place: Shown): void {
    this.#underWay.splice(this.#underWay.indexOf(place), 1);
    const inSight = this.#waiting.findIndex((one) => one.place.isInSight);
    const [next] = this.#waiting.splice(Math.max(0, inSight), 1);
    if (next) {
      this.#underWay.push(next.place);
      next.begin();
    }
    this.#tellIdle();
  }
}

/** One is computed while the answer to the other is on its way. */
const atOnce = 2;
const limiters = new WeakMap<Engine, RequestLimiter>();

function limiterNow(): RequestLimiter {
  const asked = engine();
  const limiter = limiters.get(asked) ?? new RequestLimiter(atOnce);
  limiters.set(asked, limiter);
  return limiter;
}

/** Once all that is on screen has been answered. */
export async function answered(): Promise<void> {
  // what has changed just now is asked when it is drawn
  await new Promise((resolve) => setTimeout(resolve, 0));
  await limiterNow().idle();
  showDue();
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
  #shown: Answer;
  /** the runs of the shown picture, as text */
  #shownRuns: string | undefined;
  #wanted: Request | undefined;
  #underWay = false;
  /** the request that is answered */
  #settled = '';
  #closed = false;

  /** `shown` is what its place shows already. */
  constructor(
    show: (answer: Answer) => void,
    shown: Answer = { pending: false },
    place: Shown = anywhere,
  ) {
    this.#show = show;
    this.#shown = shown;
    this.#place = place;
  }

  close(): void {
    this.#closed = true;
  }

  want(request: Request | undefined): void {
    if (request?.key === this.#wanted?.key) return;
    this.#wanted = request;
    const known = keptAnswer(request?.key);
    this.#settled = request && known ? request.key : '';
    // the picture of another run would be a lie under this run's name
    const before = request && this.#shownRuns === String(request.runs) ? this.#shown : {};
    this.#shownRuns = request && String(request.runs);
    if (known) this.#set({ table: known, pending: false });
    else this.#set({ ...before, pending: request !== undefined });
    if (request && !known) void this.#ask();
  }

  #set(answer: Answer): void {
    const { table, error, pending } = this.#shown;
    if (answer.table === table && answer.error === error && answer.pending === pending) return;
    this.#shown = answer;
    if (!this.#closed) this.#show(answer);
  }

  async #ask(): Promise<void> {
    if (this.#underWay) return;
    this.#underWay = true;
    for (let request = this.#open(); request; request = this.#open()) {
      // what is asked already needs no turn
      if (flightsNow().has(request.key)) await this.#answer(request);
      else await this.#askInTurn();
    }
    this.#underWay = false;
  }

  async #askInTurn(): Promise<void> {
    const limiter = limiterNow();
    const turn = limiter.take(this.#place);
    if (turn) await turn;
    const request = this.#open();
    const known = keptAnswer(request?.key);
    if (request && known) this.#settle(request, { table: known, pending: false });
    else if (request) await this.#answer(request);
    limiter.give(this.#place);
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

function requestOf(
  runs: readonly RunId[],
  question: QuestionName | '',
  selection: Selection,
  options: QuestionOptions,
): Request | undefined {
  return runs.length === 0 || question === ''
    ? undefined
    : requestFor(runs, question, selection, options);
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

/**
 * Asks `question` of `run` and keeps the last picture until the new answer is there. `question` ''
 * asks nothing.
 */
export function useAnswer<Q extends QuestionName>(
  run: RunId | undefined,
  question: Q | '',
  selection: Selection = {},
  options: OptionsOf<Q> = {},
): Answer<Q> {
  return useAnswerOf(run === undefined ? [] : [run], question, selection, options);
}

/** Answers that are shown with a next frame, by the place that shows them. */
const due = new Map<(answer: Answer) => void, Answer>();
let firstDue = 0;
/** How long what is there waits for what is still computed [ms]: drawing a view often takes as long. */
const together = 50;

function showDue(): void {
  const now = [...due];
  due.clear();
  for (const [show, answer] of now) show(answer);
}

function showTogether(): void {
  if (limiterNow().isSightIdle || performance.now() - firstDue > together) showDue();
  else requestAnimationFrame(showTogether);
}

/**
 * A view shows a dozen answers: those that come soon after each other draw it once. That one is
 * awaited is shown at once.
 */
function showSoon(show: (answer: Answer) => void, answer: Answer): void {
  if (answer.pending || document.hidden) {
    due.delete(show);
    show(answer);
    return;
  }
  if (due.size === 0) {
    firstDue = performance.now();
    requestAnimationFrame(showTogether);
  }
  due.set(show, answer);
}

/** What is known of the answer before it is asked for. */
function atFirst(question: QuestionName | '', request: Request | undefined): Answer {
  const table = keptAnswer(request?.key);
  return { table, pending: question !== '' && !table };
}

/** The same of several runs at once, in their order; of none nothing is asked. */
export function useAnswerOf<Q extends QuestionName>(
  runs: readonly RunId[],
  question: Q | '',
  selection: Selection = {},
  options: OptionsOf<Q> = {},
): Answer<Q> {
  const request = requestOf(runs, question, selection, options);
  const [answer, show] = useState<Answer>(() => atFirst(question, request));
  const place = usePlace();
  const [query] = useState(() => new LatestQuery((next) => showSoon(show, next), answer, place));
  useLayoutEffect(() => query.want(request), [request?.key]);
  useEffect(() => () => query.close(), []);
  return answer as Answer<Q>;
}
