import { batch } from '@preact/signals';
import { fetchFiles } from '../engine/downloads';
import type { Enclosed } from '../engine/enclosed';
import { CoreError, type InputFile, type Opened, type OpenOptions } from '../engine/engine';
import { dateTime } from '../plot/format';
import { answerOf } from './answers';
import { engine } from './engine';
import { type Notice, notice } from './notice';
import { mayConnect } from './oneFile';
import { takeSide } from './pair';
import { prefetchView } from './prefetch';
import { noteSentence, readRuns } from './readRuns';
import { rememberRuns } from './recents';
import {
  activeRun,
  closeRun,
  type OpenRun,
  type Origin,
  openRuns,
  replaceRun,
  retitle,
  showRun,
} from './runs';
import { begin, failOpening, opening, underWay } from './underWay';
import { type ViewId, view } from './view';

/** [ms] The index of a recording is written once a second. */
const waitEvery = 1000;

/** Waits until a recording begins, then opens it: `filesNow` are its files so far. */
export async function openGrowing(filesNow: () => Promise<InputFile[]>): Promise<boolean> {
  const isWanted = begin({ kind: 'waiting' });
  while (isWanted()) {
    const files = await filesNow().catch(() => []);
    if (!isWanted()) return false;
    if (files.length > 0) return openFiles(files, filesNow);
    await new Promise((resolve) => setTimeout(resolve, waitEvery));
  }
  return false;
}

/** True when they were opened, or are open already. `again`: how to get them when they have grown. */
export async function openFiles(
  files: InputFile[],
  again?: Origin['filesAgain'],
): Promise<boolean> {
  return (await openedFiles(files, again)) !== undefined;
}

async function openedFiles(
  files: InputFile[],
  filesAgain?: Origin['filesAgain'],
): Promise<OpenRun[] | undefined> {
  if (files.length === 0) {
    failOpening('Nothing to open', [
      'The drop held no file. Drop a folder, files or a .zip from the file manager.',
    ]);
    return undefined;
  }
  const name = files.length === 1 ? (files[0]?.path ?? '') : `${files.length} files`;
  const before = activeRun.peek();
  const origin: Origin = { files, urls: [], ...(filesAgain && { filesAgain }) };
  const runs = await open(name, origin, (options) => engine().open(files, options));
  if (before && files.every(isLoose)) offer(before, files, runs);
  return runs;
}

export async function openUrls(urls: string[]): Promise<boolean> {
  if (!mayConnect()) {
    const where = 'this page is one file, and its own policy forbids network access';
    failOpening(`${urls.join(', ')} could not be opened`, [
      `${where}: download the file and open it here`,
    ]);
    return false;
  }
  const origin = { files: [], urls };
  return (
    (await open(urls.join(', '), origin, (options) => engine().openUrls(urls, options))) !==
    undefined
  );
}

/** Opens what a report carries. */
export async function openEnclosed({ files, sources }: Enclosed): Promise<boolean> {
  const own = files.map(({ bytes, ...file }) => ({ ...file, data: new Blob([bytes]) }));
  return await openAgain({ files: own, urls: [], enclosed: true, sources });
}

/** Opens what runs came from. */
export async function openAgain(origin: Origin): Promise<boolean> {
  const { files, urls, sources, enclosed } = origin;
  if (files.length === 0) return await openUrls(urls);
  const what = enclosed
    ? 'The runs in this report'
    : files.length === 1
      ? (files[0]?.path ?? '')
      : `${files.length} files`;
  return (
    (await open(what, origin, (options) => engine().open(files, { ...options, sources }))) !==
    undefined
  );
}

/** A file on its own, in no folder. */
const isLoose = (file: InputFile): boolean => !file.path.includes('/');

/** Loose files may belong to the run that they were dropped on. */
function offer(
  run: OpenRun,
  files: readonly InputFile[],
  opened: readonly OpenRun[] | undefined,
): void {
  const name = files.length === 1 ? (files[0]?.path ?? '') : `${files.length} files`;
  const label = `Add to ${run.title}`;
  if (!opened) {
    const now = opening.peek();
    if (now.kind === 'failed')
      opening.value = { ...now, way: { label, act: () => void addToRun(run, files) } };
    return;
  }
  // what has a beginning or a length of its own is a run of its own
  const [fresh] = opened;
  if (!fresh || opened.length > 1 || fresh.id === run.id) return;
  if (Number.isFinite(fresh.elapsed) || Number.isFinite(fresh.started_at) || notice.peek()) return;
  const act = () => {
    void closeRun(fresh.id).then(() => {
      showRun(run.id);
      return addToRun(run, files);
    });
  };
  notice.value = {
    title: `${name} is open as a run of its own`,
    text: 'or does it belong to another run?',
    action: { label, act },
  };
}

/**
 * Opens what another page sent: the runs, and sentences about what could not be used. Throws a
 * sentence when nothing could.
 */
export async function openForHost(
  files: InputFile[],
): Promise<{ runs: OpenRun[]; notes: string[] }> {
  const runs = await openedFiles(files);
  if (!runs) {
    const now = opening.peek();
    throw new CoreError(
      now.kind === 'failed' ? now.sentences.join('\n') : 'the opening was cancelled',
    );
  }
  const dataNotes = [...(runs[0]?.strayNotes ?? []), ...runs.flatMap((run) => run.partialNotes)];
  return { runs, notes: dataNotes.map(noteSentence) };
}

/**
 * Opens, and makes the first new run the active one. What was open stays open, also when this
 * fails. Runs that are open already are not opened twice: where there are no others, the first of
 * them is shown. Undefined when nothing could be opened.
 */
async function open(
  what: string,
  origin: Origin,
  start: (options: OpenOptions) => Promise<Opened>,
): Promise<OpenRun[] | undefined> {
  let runs: OpenRun[] | undefined;
  const done = await underWay(what, async (under) => {
    const { options, current, made } = under;
    const opened = made(await start(options));
    const reading = readRuns(what, origin, opened, under);
    prefetchView(opened.runs, view.value);
    const { fresh, known, titles } = await reading;
    const firstView = fresh.length > 1 ? together(fresh) : await startingView(fresh[0]);
    if (!current()) return;
    if (firstView)
      prefetchView(
        fresh.map(({ id }) => id),
        firstView,
      );
    batch(() => {
      opening.value = { kind: 'idle' };
      notice.value = known.length > 0 ? openAlready(known) : undefined;
      openRuns.value = [...openRuns.value, ...fresh];
      retitle(titles);
      const [first] = fresh;
      if (!first) {
        if (known[0]) showRun(known[0].id);
        return;
      }
      view.value = firstView ?? view.value;
      showRun(first.id);
    });
    const shown = new Set([...fresh, ...known].map(({ id }) => id));
    runs = openRuns.value.filter(({ id }) => shown.has(id));
    // a report is its own way back
    if (origin.enclosed) return;
    rememberRuns(
      fresh.map(({ title, started_naive, started_at, origin: { urls } }) => ({
        title,
        started: dateTime(Number.isFinite(started_naive) ? started_naive : started_at),
        ...(urls[0] ? { url: urls[0] } : {}),
      })),
    );
  });
  return done ? runs : undefined;
}

function openAlready(known: readonly OpenRun[]): Notice {
  const titles = known.map((run) => run.title).join(', ');
  return {
    title: `${titles} ${known.length === 1 ? 'is' : 'are'} open already`,
    text: 'Identical to a run already open.',
  };
}

/** Opens the files of `run` together with `added` and shows the result in its place. */
export async function addToRun(run: OpenRun, added: readonly InputFile[]): Promise<boolean> {
  const what = added.length === 1 ? (added[0]?.path ?? '') : `${added.length} files`;
  return await underWay(what, async (under) => {
    const { options, current, made } = under;
    const { sources } = run.origin;
    const own = [...run.origin.files, ...(await fetchFiles(run.origin.urls, options.signal))];
    const files = [...own, ...added];
    const beside = { run: run.id, from: own.length };
    const opened = made(await engine().open(files, { ...options, sources, beside }));
    const addresses = run.origin.addresses ?? run.origin.urls;
    const again = { files, urls: [], sources, addresses };
    const { fresh } = await readRuns(what, again, opened, under, true);
    // an archive of several runs brings the others along: they are open already, and these are
    // closed again
    const holds = (wanted: (place: number) => boolean) =>
      fresh.filter((_, at) => opened.from[at]?.some(wanted));
    const withAdded = holds((place) => place >= own.length);
    const grown =
      holds((place) => place < own.length).find((one) => withAdded.includes(one)) ??
      withAdded[0] ??
      fresh[0];
    if (!grown) throw new CoreError('the files no longer hold a run');
    if (!current()) return;
    takeSide(run.id, grown.id);
    // before the titles are asked for: beside another of its name a run is called at greater length
    await Promise.all(fresh.filter((one) => one !== grown).map((one) => engine().close(one.id)));
    await replaceRun(run.id, { ...grown, title: run.title });
    opening.value = { kind: 'idle' };
  });
}

/** Runs that come together are to be seen together. */
const together = (runs: readonly OpenRun[]): ViewId =>
  runs.some(({ digest }) => digest === 1) ? 'history' : 'runs';

/**
 * A bundle of call trees alone begins where there is something to see; others leave the view as it
 * is.
 */
async function startingView(run: OpenRun | undefined): Promise<ViewId | undefined> {
  if (
    !run ||
    view.value === 'flame' ||
    Number.isFinite(run.elapsed) ||
    Number.isFinite(run.started_at)
  )
    return undefined;
  const [profiles, fine] = await Promise.all([
    answerOf(run.id, 'profiles'),
    answerOf(run.id, 'fine'),
  ]);
  return profiles.rows > 0 && fine.rows === 0 ? 'flame' : undefined;
}
