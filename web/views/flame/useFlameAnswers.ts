import { useMemo } from 'preact/hooks';
import type { Table } from '../../engine/table';
import type { Range } from '../../plot/timeAxis';
import type { CssPixels } from '../../plot/useSize';
import { searchOf, treeOptions } from '../../state/callTree';
import { type FlameMode, flame, flameModes, setTree } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { useAnswer } from '../../state/useAnswer';
import { functionRows } from '../common/flame/functionRows';
import { useFlame } from '../common/flame/useFlame';

/** Below this the function table is not worth its place under the picture [px]. */
const dockedHeight: CssPixels = 168;
/** What map, axis, legend and the sentence about leaves take [px]. */
const aroundPicture: CssPixels = 190;

/** In which forms a profile can be looked at, and in which it is. */
export function useFlameMode(profiles: Table, profile: string) {
  const state = flame.value;
  const row = Math.max(0, profiles.rowOf('profile', profile));
  const isOrdered = (at: number) => profiles.has('ordered') && profiles.number('ordered', at) === 1;
  const ordered = isOrdered(row);
  const firstOrdered = Array.from({ length: profiles.rows }, (_, at) => at).find(isOrdered);
  const workers = Array.from({ length: profiles.rows }, (_, at) =>
    profiles.text('kind', at),
  ).filter((kind) => kind === 'worker').length;
  const modes = flameModes
    .map((entry) => entry.id)
    .filter(
      (id) => (id !== 'time' || firstOrdered !== undefined) && (id !== 'workers' || workers > 1),
    );
  const mode: FlameMode =
    modes.includes(state.mode) && (state.mode !== 'time' || ordered) ? state.mode : 'own';
  // several profiles together have no order: time begins with the first that has one
  const setMode = (next: FlameMode) =>
    setTree({
      mode: next,
      ...(next === 'time' && !ordered
        ? { profile: profiles.text('profile', firstOrdered ?? 0) ?? '' }
        : {}),
    });
  return { row, workers, modes, mode, setMode };
}

/** What the core says about one profile in that form; `height` is what the panel has for it. */
export function useFlameAnswers(
  profiles: Table,
  profile: string,
  at: ReturnType<typeof useFlameMode>,
  height: CssPixels,
) {
  const { row, mode, workers } = at;
  const state = flame.value;
  const run = activeRunId.value;
  const chosen = selection.value;
  const visible: Range = [state.begin, state.end];
  const isPicture = mode === 'own' || mode === 'icicle' || mode === 'time' || mode === 'inverted';
  const transform = state.steps.join(';');
  const options = { profile, leaves: state.leaves, transform };
  const tree = treeOptions({ ...state, mode, profile });
  const search = searchOf(state);
  const shown = useFlame(
    run === undefined ? [] : [run],
    isPicture || mode === 'tree' ? 'flame' : '',
    chosen,
    tree,
    visible,
    search,
  );
  const { boxes, overview } = shown;
  // what a shallow picture leaves free below itself
  const free = height - (boxes?.index.rows ?? 0) * 22 - aroundPicture;
  const shallow = isPicture && height > 0 && free > dockedHeight;
  // the picture first: the worker answers in turn
  const frames = useAnswer(isPicture && !overview && !shown.error ? '' : 'frames', chosen, options);
  const isFiltered = search !== '' && (shallow || !(isPicture || mode === 'tree'));
  const found = useAnswer(isFiltered ? 'frames' : '', chosen, { ...options, search });
  const spread = useAnswer(workers > 1 && mode === 'workers' ? 'profile_spread' : '', chosen, {
    leaves: state.leaves,
    transform,
  });
  const byWorker = useAnswer(
    workers > 1 && workers <= 400 && mode === 'functions' ? 'worker_frames' : '',
    chosen,
    { leaves: state.leaves, transform, most: 1000 },
  );
  const functions = useMemo(
    () => (frames.table ? functionRows(frames.table) : undefined),
    [frames.table],
  );
  const only = useMemo(() => {
    if (!found.table || !functions) return undefined;
    const hits = new Set(found.table.has('frame') ? found.table.numbers('frame') : []);
    return (at: number) => hits.has(functions.number('frame', at));
  }, [found.table, functions]);

  // the numbers of what is shown
  const data =
    isPicture || mode === 'tree' ? boxes?.table : mode === 'workers' ? spread.table : frames.table;
  const notes = (isPicture || mode === 'tree' ? boxes?.table : frames.table)?.notes ?? {};
  const profileName =
    typeof notes.profile === 'string' ? notes.profile : (profiles.text('label', row) ?? profile);
  const narrowed = notes.sums_selected ? narrowedTitle(chosen.workers, chosen.prefixes) : '';
  const error = shown.error ?? frames.error;
  // an expression that is not finished is no reason to show nothing
  const searchError = shown.searchError ?? found.error ?? '';
  const leaves = String(notes.leaves ?? '');
  return {
    isPicture,
    visible,
    shown,
    options,
    tree,
    search,
    functions,
    only,
    spread,
    byWorker,
    pending: shown.pending || frames.pending,
    shallow,
    free,
    data,
    notes,
    profileName,
    narrowed,
    error,
    searchError,
    leaves,
  };
}

const narrowedTitle = (
  workers: readonly string[] = [],
  prefixes: readonly string[] = [],
): string => {
  const names = workers.length > 0 ? workers : prefixes;
  if (names.length === 1) return `only ${names[0]}`;
  return `${names.length} selected ${workers.length > 0 ? 'workers' : 'prefixes'}`;
};
