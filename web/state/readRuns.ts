import { isWithin } from '../engine/contents';
import { CoreError, type DataNote, type Opened, type RunId } from '../engine/engine';
import type { Table } from '../engine/table';
import { answerOf } from './answers';
import { dataNotesOf } from './dataNotes';
import { engine } from './engine';
import { type OpenRun, type Origin, openRuns, runsOfTable } from './runs';
import type { UnderWay } from './underWay';

export interface ReadRuns {
  /** those that were not open yet */
  fresh: OpenRun[];
  /** those that are, as they are; what was opened of them again is closed */
  known: OpenRun[];
  /** what all that are open are called from now on */
  titles: Map<RunId, string>;
}

/**
 * What the page wants to know of runs that were just opened; `anew`, also of those that are open.
 * Throws when there are none.
 */
export async function readRuns(
  what: string,
  origin: Origin,
  opened: Opened,
  { options, seconds }: UnderWay,
  anew = false,
): Promise<ReadRuns> {
  const readSeconds = seconds();
  if (opened.runs.length === 0)
    throw new CoreError(opened.dataNotes.map(noteSentence).join('\n') || `nothing in ${what}`);
  const before = openRuns.peek();
  const openAs = opened.contents.map((own) =>
    anew ? undefined : before.find((run) => isWithin(own, run.contents)),
  );
  const closing = opened.runs.filter((_, at) => openAs[at]).map((run) => engine().close(run));
  // what else is asked comes after the list of runs, without which nothing is shown
  if (closing.length > 0) await Promise.all(closing);
  const ids = opened.runs.filter((_, at) => !openAs[at]);
  const all = [...before.map((run) => run.id), ...ids];
  const origins = originsOf(origin, opened.from);
  const table = await engine().ask('runs', { runs: all });
  // there may be a thousand runs, and few are damaged
  const rows = runsOfTable(table, all, { readSeconds, strayNotes: opened.dataNotes });
  const fresh = await Promise.all(
    rows.slice(before.length).map(async (run): Promise<OpenRun> => {
      const at = opened.runs.indexOf(run.id);
      return {
        ...run,
        origin: origins[at] ?? origin,
        contents: opened.contents[at] ?? [],
        partialNotes: run.damaged > 0 ? partialNotesOf(await answerOf(run.id, 'quality')) : [],
      };
    }),
  );
  options.signal?.throwIfAborted();
  const titles = new Map(all.map((id, row) => [id, table.text('title', row) ?? '']));
  return { fresh, known: [...new Set(openAs.filter((run) => run !== undefined))], titles };
}

/**
 * Of what was opened together, what each run was read from; the same object for runs that were read
 * from the same.
 */
function originsOf({ files, urls, ...rest }: Origin, from: readonly number[][]): Origin[] {
  const known = new Map<string, Origin>();
  return from.map((places) => {
    const key = places.join();
    const own = known.get(key) ?? {
      ...rest,
      files: places.flatMap((at) => files[at] ?? []),
      urls: places.flatMap((at) => urls[at] ?? []),
    };
    known.set(key, own);
    return own;
  });
}

/** What is grave about a file, not about its numbers: part of it could not be read. */
const partialNotesOf = (quality: Table): DataNote[] =>
  dataNotesOf(quality).filter((note) => note.severity === 'high' && note.file !== '');

export function noteSentence(note: DataNote): string {
  const place = [
    note.path && `in ${note.path}`,
    note.offset !== undefined && `at byte ${note.offset}`,
  ];
  // the core's sentence usually names the file itself
  const named =
    note.file && !note.message.startsWith(note.file)
      ? `${note.file}: ${note.message}`
      : note.message;
  return [named, ...place.filter((part) => part && !named.includes(part))].join(' ');
}
