/** Runs that are being recorded: they are read again while they grow. */
import { batch, effect, signal } from '@preact/signals';
import type { InputFile, Opened, OpenOptions, RunId } from '../engine/engine';
import { indexName, type RecordedIndex, readIndex } from '../engine/recordedParts';
import { rowsOf } from '../engine/table';
import { askAgain } from './answers';
import { engine } from './engine';
import { type OpenRun, openRuns } from './runs';
import { answered } from './useAnswer';

/** How a run that grows is followed. */
export interface Following {
  isPaused: boolean;
  /** its recording has ended: what was on screen stays until it is put away */
  hasEnded?: boolean;
  /** when its index was last seen to have changed [ms, as Date.now()] */
  news: number;
  /** the browser says when a task first fails, and when the recording ends */
  notifies?: boolean;
  /** a task has failed, as the user knows */
  hasFailed?: boolean;
}

export const following = signal<ReadonlyMap<RunId, Following>>(new Map());

function set(run: RunId, change: Partial<Following> | undefined): void {
  const next = new Map(following.peek());
  const before = next.get(run) ?? { isPaused: false, news: Date.now() };
  if (change) next.set(run, { ...before, ...change });
  else next.delete(run);
  following.value = next;
}

export function pauseFollowing(run: RunId, isPaused: boolean): void {
  set(run, { isPaused });
  // what stands still is of one moment
  if (isPaused) askAgain([run], ['rest']);
}

/** Puts away what is shown of a recording that has ended. */
export const leaveFollowing = (run: RunId): void => set(run, undefined);

/** Asks whether the browser may show notifications; if so it does of this run. */
export async function notifyOf(run: RunId): Promise<void> {
  const notifies = (await Notification.requestPermission()) === 'granted';
  set(run, { notifies, hasFailed: notifies && (await anyFailed(run)) });
}

const anyFailed = async (run: RunId): Promise<boolean> =>
  (await engine().ask('failures', { runs: [run] })).rows > 0;

/** After a run was read again: notifies of what has just happened. */
async function tellNews(run: RunId, hasEnded: boolean): Promise<void> {
  const { notifies, hasFailed } = following.peek().get(run) ?? {};
  if (!notifies) return;
  const fails = !hasFailed && (await anyFailed(run));
  if (fails) set(run, { hasFailed: true });
  if (!fails && !hasEnded) return;
  const title = openRuns.peek().find(({ id }) => id === run)?.title ?? '';
  const { notes } = await engine().ask('progress', { runs: [run] });
  const what = hasEnded ? 'the recording has ended' : 'a task has failed';
  try {
    new Notification(`${title}: ${what}`, { body: String(notes.headline) });
  } catch {
    // browsers of phones let only a service worker notify
  }
}

/** Its index is written once a second. */
const lookEvery = 1000;
/** In a tab that nobody sees. */
const lookEveryHidden = 10_000;
/**
 * So many times as long as reading and progress took, nothing is done: they take an eighth of a
 * core, and all else on screen a thirtieth.
 */
const restOfProgress = 7;
const restOfRest = 30;

/** What something takes [ms]: of the last two times one may have waited for other programs. */
class Cost {
  #last = 0;
  #before = 0;

  get usual(): number {
    return Math.min(this.#last, this.#before);
  }

  async of<T>(work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const result = await work();
    this.#before = this.#last;
    this.#last = performance.now() - begin;
    return result;
  }
}

/**
 * Follows each run that is opened while it is recorded, until its recording ends or it is closed.
 * Returns how to begin with no more of them.
 */
export function followRuns(): () => void {
  return effect(() => {
    for (const run of openRuns.value) {
      const source = run.running === 1 ? sourceOf(run) : undefined;
      if (source && !following.peek().has(run.id)) void follow(run.id, source);
    }
  });
}

/** What is saved at the end comes a moment after the index has said so. */
const endTakes = 2000;

/** A recording as it is at one moment. */
interface Look {
  index: RecordedIndex | undefined;
  /** where they are at hand */
  files?: InputFile[];
  read: (options: OpenOptions) => Promise<Opened>;
}
type Source = () => Promise<Look>;

/** Where it can be read again; undefined where nobody can, and where other runs lie beside it. */
function sourceOf({ id, origin }: OpenRun): Source | undefined {
  const { urls, filesAgain } = origin;
  if (openRuns.peek().some((run) => run.id !== id && run.origin === origin)) return undefined;
  if (filesAgain) {
    return async () => {
      const files = await filesAgain();
      return {
        index: await indexIn(files),
        files,
        read: (options) => engine().open(files, options),
      };
    };
  }
  const [url] = urls;
  if (urls.length !== 1 || !url?.endsWith('/')) return undefined;
  return async () => {
    const response = await fetch(new URL(indexName, new URL(url, document.baseURI)), {
      cache: 'no-store',
      credentials: 'same-origin',
    });
    return {
      index: response.ok ? readIndex(await response.text()) : undefined,
      read: (options) => engine().openUrls(urls, options),
    };
  };
}

async function indexIn(files: readonly InputFile[]): Promise<RecordedIndex | undefined> {
  const file = files.find(({ path }) => path.split('/').at(-1) === indexName);
  return file && readIndex(await file.data.text());
}

const isOpen = (run: RunId): boolean => openRuns.peek().some(({ id }) => id === run);

async function follow(run: RunId, source: Source): Promise<void> {
  set(run, {});
  let until = Number.NaN;
  const ofProgress = new Cost();
  const ofRest = new Cost();
  let restAgain = 0;
  while (isOpen(run)) {
    const hidden = document.visibilityState === 'hidden';
    await sleep(Math.max(hidden ? lookEveryHidden : lookEvery, restOfProgress * ofProgress.usual));
    if (!isOpen(run) || following.peek().get(run)?.isPaused) continue;
    // a server that is away for a while, a part that was just joined with others: the next look tells
    const look = await lookAt(source).catch(() => undefined);
    const index = look?.index;
    if (!look || !index || index.until === until) continue;
    const isRead = await ofProgress.of(() => renew(run, look)).catch(() => false);
    if (!isRead) continue;
    until = index.until;
    set(run, { news: Date.now() });
    if (!index.isRunning || performance.now() > restAgain) {
      askAgain([run], ['rest']);
      await ofRest.of(answered);
      restAgain = performance.now() + restOfRest * ofRest.usual;
    }
    await tellNews(run, !index.isRunning).catch(() => undefined);
    if (!index.isRunning) return set(run, { hasEnded: true });
  }
  set(run, undefined);
}

async function lookAt(source: Source): Promise<Look> {
  const look = await source();
  if (look.index?.isRunning !== false) return look;
  await sleep(endTakes);
  return source();
}

/** Reads what has come, and shows how far it is. */
async function renew(run: RunId, look: Look): Promise<boolean> {
  const opened = await look.read({ renews: run });
  await Promise.all(opened.runs.filter((id) => id !== run).map((id) => engine().close(id)));
  if (!isOpen(run)) {
    await engine().close(run);
    return false;
  }
  const [row] = rowsOf(await engine().ask('runs', { runs: [run] }));
  if (!row) return false;
  const { files } = look;
  batch(() => {
    openRuns.value = openRuns.peek().map((one) => {
      if (one.id !== run) return one;
      const origin = files ? { ...one.origin, files } : one.origin;
      return { ...one, ...row, id: run, title: one.title, origin };
    });
    askAgain([run], ['progress']);
  });
  await answered();
  return true;
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
