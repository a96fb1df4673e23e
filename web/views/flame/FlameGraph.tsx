import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { count, significant } from '../../plot/format';
import { smallestIcicle } from '../../plot/Icicle';
import { panned, type Range, within, zoomed } from '../../plot/timeAxis';
import { useSize } from '../../plot/useSize';
import { useAnswer } from '../../state/answers';
import { searchOf, treeOptions } from '../../state/callTree';
import { addStep, asPattern, type FlameMode, flame, flameModes, setFlame, setTree } from '../../state/flame';
import { activeRunId } from '../../state/runs';
import { selection } from '../../state/selection';
import { closeTooltip } from '../../ui/tooltip';
import { type Amounts, amountText } from '../common/flame/amounts';
import { FlamePane } from '../common/flame/FlamePane';
import { type FlameBoxes, functionPattern } from '../common/flame/flameBoxes';
import { functionRows } from '../common/flame/functionRows';
import { useFlame } from '../common/flame/useFlame';
import { PanelMenu } from '../common/PanelMenu';
import { ExportMenu } from './ExportMenu';
import { FlameDetails } from './FlameDetails';
import { FlameLegend } from './FlameLegend';
import { FlameToolbar } from './FlameToolbar';
import { FunctionTable } from './FunctionTable';
import { Sandwich } from './Sandwich';
import { TransformBar } from './TransformBar';
import { TreeTable } from './TreeTable';
import { useFlameKeys } from './useFlameKeys';
import { WorkerPane } from './WorkerPane';

export interface FlameGraphProps {
  profiles: Table;
  profile: string;
  onProfile: (profile: string) => void;
  onStep: (by: number) => void;
}

const whole: Range = [0, 1];
/** Below this the function table is not worth its place under the picture [px]. */
const dockedHeight = 168;
/** What map, axis, legend and the sentence about leaves take [px]. */
const aroundPicture = 190;

/** One profile's call tree in all its views, with toolbar, legend and details. */
export function FlameGraph({ profiles, profile, onProfile, onStep }: FlameGraphProps) {
  const [body, , height] = useSize<HTMLElement>('next frame');
  const field = useRef<HTMLInputElement>(null);
  const state = flame.value;
  const run = activeRunId.value;
  const chosen = selection.value;
  const visible: Range = [state.begin, state.end];
  const row = Math.max(0, profiles.rowOf('profile', profile));
  const isOrdered = (at: number) => profiles.has('ordered') && profiles.number('ordered', at) === 1;
  const ordered = isOrdered(row);
  const firstOrdered = Array.from({ length: profiles.rows }, (_, at) => at).find(isOrdered);
  const workers = Array.from({ length: profiles.rows }, (_, at) => profiles.text('kind', at)).filter(
    (kind) => kind === 'worker',
  ).length;
  const modes = flameModes
    .map((entry) => entry.id)
    .filter((id) => (id !== 'time' || firstOrdered !== undefined) && (id !== 'workers' || workers > 1));
  const mode: FlameMode = modes.includes(state.mode) && (state.mode !== 'time' || ordered) ? state.mode : 'icicle';
  // several profiles together have no order: time begins with the first that has one
  const setMode = (next: FlameMode) =>
    setTree({
      mode: next,
      ...(next === 'time' && !ordered ? { profile: profiles.text('profile', firstOrdered ?? 0) ?? '' } : {}),
    });
  const isPicture = mode === 'icicle' || mode === 'time' || mode === 'inverted';

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
  const frames = useAnswer(run, isPicture && !overview && !shown.error ? '' : 'frames', chosen, options);
  const isFiltered = search !== '' && (shallow || !(isPicture || mode === 'tree'));
  const found = useAnswer(run, isFiltered ? 'frames' : '', chosen, { ...options, search });
  const spread = useAnswer(run, workers > 1 && mode === 'workers' ? 'profile_spread' : '', chosen, {
    leaves: state.leaves,
    transform,
  });
  const byWorker = useAnswer(
    run,
    workers > 1 && workers <= 400 && mode === 'functions' ? 'worker_frames' : '',
    chosen,
    { leaves: state.leaves, transform, most: 1000 },
  );
  const functions = useMemo(() => (frames.table ? functionRows(frames.table) : undefined), [frames.table]);
  const only = useMemo(() => {
    if (!found.table || !functions) return undefined;
    const hits = new Set(found.table.has('frame') ? found.table.numbers('frame') : []);
    return (at: number) => hits.has(functions.number('frame', at));
  }, [found.table, functions]);

  const box = boxes?.boxOf(state.selected) ?? -1;
  const setVisible = (range: Range) => setFlame({ begin: range[0], end: range[1] });
  const zoomTo = (at: number) => {
    if (boxes && at >= 0)
      setVisible(within([boxes.index.boxes.begin[at] ?? 0, boxes.index.boxes.end[at] ?? 1], whole, smallestIcicle));
  };
  const nextHit = (by: number) => {
    if (!boxes || !search) return;
    const next = neighbourHit(boxes, box, by);
    if (next < 0) return;
    const [from, to] = [boxes.index.boxes.begin[next] ?? 0, boxes.index.boxes.end[next] ?? 1];
    const isSeen = to > visible[0] && from < visible[1];
    setFlame({ selected: boxes.keyOf(next), ...(isSeen ? {} : { begin: 0, end: 1 }) });
  };
  useEffect(() => closeTooltip, [overview]);
  useFlameKeys({
    reset: () => setVisible(whole),
    search: () => field.current?.focus(),
    step: onStep,
    zoom: (factor) => setVisible(zoomed(visible, whole, (visible[0] + visible[1]) / 2, factor, smallestIcicle)),
    pan: (share) => setVisible(panned(visible, whole, share * (visible[1] - visible[0]), smallestIcicle)),
    clear: () => {
      if (box >= 0) setFlame({ selected: '' });
      return box >= 0;
    },
    fit: () => zoomTo(box),
    focus: () => {
      if (boxes && box >= 0 && boxes.frameOf(box) >= 0) addStep(`focus:${asPattern(functionPattern(boxes, box))}`);
    },
    recursion: () => {
      if (!state.steps.includes('recursion')) addStep('recursion');
    },
  });

  // the numbers of what is shown
  const twin = isPicture || mode === 'tree' ? boxes?.table : mode === 'workers' ? spread.table : frames.table;
  const notes = (isPicture || mode === 'tree' ? boxes?.table : frames.table)?.notes ?? {};
  const profileName = typeof notes.profile === 'string' ? notes.profile : (profiles.text('label', row) ?? profile);
  const isNarrowed = typeof notes.selection === 'string' && notes.selection.startsWith('Only the selected');
  const narrowed = isNarrowed ? narrowedTitle(chosen.workers, chosen.prefixes) : '';
  const error = shown.error ?? frames.error;
  // an expression that is not finished is no reason to show nothing
  const searchError = shown.searchError ?? found.error ?? '';
  const leaves = String(notes.leaves ?? '');
  const uncounted = leaves.includes('Dask');
  // while one zooms, it stays as it is
  const docked = useMemo(
    () =>
      shallow && functions ? (
        <FunctionTable
          functions={functions}
          only={only}
          maxHeight={free}
          onRow={(at) => setFlame({ mode: 'sandwich', focus: functions.pattern(at) })}
        />
      ) : null,
    [shallow, functions, only, free],
  );
  return (
    <div class="flame" data-testid="view-flame">
      <div>
        <FlameToolbar
          profiles={profiles}
          profile={profile}
          narrowed={narrowed}
          modes={modes}
          mode={mode}
          onMode={setMode}
          boxes={boxes}
          searchError={searchError}
          uncounted={uncounted || state.leaves !== 'estimated'}
          field={field}
          onProfile={onProfile}
          onHit={nextHit}
        />
        <div class="flame-line">
          <FlameSummary notes={notes} />
          <TransformBar boxes={boxes} visible={visible} />
          <div class="panel-actions">
            <button
              type="button"
              class="button"
              data-testid="flame-reset"
              disabled={state.end - state.begin > 0.999}
              onClick={() => setVisible(whole)}
            >
              Reset zoom <kbd>0</kbd>
            </button>
            <ExportMenu profile={profile} profileName={profileName} transform={tree.transform} box={body} />
            <PanelMenu title="the flame graph" name="flame" box={body} table={twin} />
          </div>
        </div>
      </div>
      <div class={isPicture || mode === 'tree' ? 'flame-body' : 'flame-body flame-body-wide'}>
        <section
          ref={body}
          class={`panel flame-main ${shown.pending || frames.pending ? 'panel-waiting' : ''}`}
          aria-label="Flame graph"
          aria-busy={shown.pending}
        >
          {error ? <p class="refusal">{error}</p> : null}
          {typeof notes.selection === 'string' ? <p class="plot-caption">{notes.selection}</p> : null}
          {typeof notes.limits === 'string' ? <p class="plot-caption">{notes.limits}</p> : null}
          {isPicture && boxes && overview ? (
            boxes.total > 0 ? (
              <FlamePane
                boxes={boxes}
                overview={overview}
                functions={functions}
                visible={visible}
                onVisible={setVisible}
                selected={state.selected}
                onSelect={(key) => setFlame({ selected: key })}
                title={`Call tree of ${profileName}`}
              />
            ) : (
              <p class="muted">Nothing is left of the call tree: take a step back.</p>
            )
          ) : null}
          {mode === 'tree' && boxes ? (
            <TreeTable boxes={boxes} selected={state.selected} onSelect={(key) => setFlame({ selected: key })} />
          ) : null}
          {mode === 'functions' && functions ? (
            <FunctionTable
              functions={functions}
              spread={byWorker.table}
              only={only}
              maxHeight={Math.max(160, height)}
              onRow={(at) => setFlame({ mode: 'sandwich', focus: functions.pattern(at) })}
            />
          ) : null}
          {mode === 'sandwich' && functions ? (
            <Sandwich functions={functions} only={only} selection={chosen} options={options} search={search} />
          ) : null}
          {mode === 'workers' ? (
            <WorkerPane
              spread={spread.table}
              error={spread.error}
              selection={chosen}
              options={{ leaves: state.leaves, transform, search }}
            />
          ) : null}
          {isPicture && boxes ? <FlameLegend boxes={boxes} /> : null}
          {isPicture && leaves ? <p class="plot-caption">{leaves}</p> : null}
          {docked}
        </section>
        {(isPicture || mode === 'tree') && boxes ? (
          <FlameDetails
            boxes={boxes}
            functions={functions}
            box={box}
            onSelect={(key) => setFlame({ selected: key })}
            onZoom={zoomTo}
          />
        ) : null}
      </div>
    </div>
  );
}

/** How much there is, and what a sample stands for. */
function FlameSummary({ notes }: { notes: Record<string, number | string> }) {
  const source = String(notes.seconds_per_sample_source ?? '');
  const amounts: Amounts = {
    total: Number(notes.total ?? Number.NaN),
    unit: typeof notes.unit === 'string' ? notes.unit : 'samples',
    secondsPerSample: Number(notes.seconds_per_sample ?? Number.NaN),
  };
  const { total, unit, secondsPerSample } = amounts;
  if (!Number.isFinite(total)) return <span class="flame-summary muted">…</span>;
  const how = source.startsWith('calibrated') ? ', by the tasks’ seconds' : source === 'recorded' ? '' : ' (assumed)';
  return (
    <span class="flame-summary muted">
      <b data-testid="flame-total">
        {unit === 'samples' ? `${count(Math.round(total))} samples` : amountText(amounts, total)}
      </b>
      {unit === 'samples' && Number.isFinite(secondsPerSample) ? (
        <span title={source}>
          {' '}
          <span class="explained">
            {amountText(amounts, total)} at {significant(secondsPerSample * 1000)}&#8201;ms per sample{how}
          </span>
        </span>
      ) : null}
    </span>
  );
}

const narrowedTitle = (workers: readonly string[] = [], prefixes: readonly string[] = []): string => {
  const names = workers.length > 0 ? workers : prefixes;
  if (names.length === 1) return `only ${names[0]}`;
  return `${names.length} selected ${workers.length > 0 ? 'workers' : 'prefixes'}`;
};

/** The box that matches next to `from`, row by row from left to right, round and round. */
function neighbourHit(boxes: FlameBoxes, from: number, by: number): number {
  const hits = boxes.index.byDepth.flatMap((row) =>
    Array.from(row).filter((box) => boxes.isMatch?.(box) && !(boxes.more(box) > 0)),
  );
  if (hits.length === 0) return -1;
  const at = hits.indexOf(from);
  return hits[(at + (at < 0 && by < 0 ? 0 : by) + hits.length) % hits.length] ?? -1;
}
