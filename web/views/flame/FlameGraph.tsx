import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Table } from '../../engine/table';
import { count, duration } from '../../plot/format';
import { smallestIcicle } from '../../plot/Icicle';
import { panned, type Range, rounded, within, zoomed } from '../../plot/timeAxis';
import { useSize } from '../../plot/useSize';
import { addStep, asPattern, flame, setFlame } from '../../state/flame';
import { selection } from '../../state/selection';
import { Button } from '../../ui/Button';
import { useKeys } from '../../ui/keys';
import { MenuItem } from '../../ui/MenuItem';
import { Popover, usePopover } from '../../ui/Popover';
import { closeTooltip } from '../../ui/tooltip';
import { amountsOf, amountText } from '../common/flame/amounts';
import { FlamePane } from '../common/flame/FlamePane';
import { functionPattern, neighbourHit } from '../common/flame/flameBoxes';
import { PanelMenu } from '../common/PanelMenu';
import { type BoxAction, boxActions } from './boxActions';
import { ExportMenu } from './ExportMenu';
import { FlameDetails } from './FlameDetails';
import { FlameLegend } from './FlameLegend';
import { FlameChoices, FlameToolbar } from './FlameToolbar';
import { FunctionTable } from './FunctionTable';
import { OwnVerdict, useRepeats } from './OwnFunctions';
import { Sandwich } from './Sandwich';
import { TransformBar } from './TransformBar';
import { TreeTable } from './TreeTable';
import { useFlameAnswers, useFlameMode } from './useFlameAnswers';
import { WorkerPane } from './WorkerPane';

export interface FlameGraphProps {
  profiles: Table;
  profile: string;
  onProfile: (profile: string) => void;
  onStep: (by: number) => void;
}

const whole: Range = [0, 1];
/** One profile's call tree in all its views, with toolbar, legend and details. */
export function FlameGraph({ profiles, profile, onProfile, onStep }: FlameGraphProps) {
  const [body, , height] = useSize<HTMLElement>('next frame');
  const field = useRef<HTMLInputElement>(null);
  const state = flame.value;
  const form = useFlameMode(profiles, profile);
  const { mode } = form;
  const known = useFlameAnswers(profiles, profile, form, height);
  const { isPicture, visible, shown, search, functions, only, notes, shallow, free, leaves } =
    known;
  const { boxes, overview } = shown;
  const box = boxes?.boxOf(state.selected) ?? -1;
  const [menu, setMenu] = useState<{ box: number; x: number; y: number } | undefined>(undefined);
  const setVisible = ([begin, end]: Range) =>
    setFlame({ begin: rounded(begin, end - begin), end: rounded(end, end - begin) });
  const zoomTo = (at: number) => {
    if (boxes && at >= 0)
      setVisible(
        within(
          [boxes.index.boxes.begin[at] ?? 0, boxes.index.boxes.end[at] ?? 1],
          whole,
          smallestIcicle,
        ),
      );
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
  const zoom = (factor: number) => () =>
    setVisible(zoomed(visible, whole, (visible[0] + visible[1]) / 2, factor, smallestIcicle));
  const pan = (share: number) => () =>
    setVisible(panned(visible, whole, share * (visible[1] - visible[0]), smallestIcicle));
  useKeys('view', {
    '0': () => setVisible(whole),
    '/': () => field.current?.focus(),
    n: () => onStep(1),
    p: () => onStep(-1),
    z: () => zoomTo(box),
    // the selected function: only what is at and below it
    f: () => {
      if (boxes && box >= 0 && boxes.frameOf(box) >= 0)
        addStep(`focus:${asPattern(functionPattern(boxes, box))}`);
    },
    // all frames, and back to your functions
    e: () => {
      if (mode === 'own' || mode === 'icicle') form.setMode(mode === 'own' ? 'icicle' : 'own');
    },
    // collapses recursion
    r: () => {
      if (!state.steps.includes('recursion')) addStep('recursion');
    },
    '+': zoom(2),
    '=': zoom(2),
    '-': zoom(1 / 2),
    _: zoom(1 / 2),
    KeyW: zoom(1.5),
    KeyS: zoom(1 / 1.5),
    KeyA: pan(-0.2),
    KeyD: pan(0.2),
    Escape: () => {
      if (box >= 0) setFlame({ selected: '' });
      return box >= 0;
    },
  });

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
        <OwnVerdict />
        <FlameToolbar
          profiles={profiles}
          profile={profile}
          narrowed={known.narrowed}
          modes={form.modes}
          mode={mode}
          onMode={form.setMode}
          boxes={boxes}
          searchError={known.searchError}
          field={field}
          onProfile={onProfile}
          onHit={nextHit}
        />
        <div class="flame-line row">
          <FlameSummary notes={notes} />
          <FlameChoices uncounted={leaves.includes('Dask') || state.leaves !== 'estimated'} />
          <TransformBar boxes={boxes} visible={visible} />
          <div class="panel-actions row">
            <Button
              data-testid="flame-reset"
              disabled={state.end - state.begin > 0.999}
              onClick={() => setVisible(whole)}
            >
              Reset zoom <kbd>0</kbd>
            </Button>
            <ExportMenu
              profile={profile}
              profileName={known.profileName}
              transform={known.tree.transform}
              box={body}
            />
            <PanelMenu title="the flame graph" name="flame" box={body} table={known.data} />
          </div>
        </div>
      </div>
      <div class={isPicture || mode === 'tree' ? 'flame-body' : 'flame-body flame-body-wide'}>
        <section
          ref={body}
          class={`panel flame-main ${known.pending ? 'panel-waiting' : ''}`}
          aria-label="Flame graph"
          aria-busy={shown.pending}
        >
          {known.error ? <p class="refusal">{known.error}</p> : null}
          {typeof notes.selection === 'string' ? (
            <p class="plot-caption tiny muted">{notes.selection}</p>
          ) : null}
          {typeof notes.limits === 'string' ? (
            <p class="plot-caption tiny muted">{notes.limits}</p>
          ) : null}
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
                onMenu={(at, x, y) => setMenu({ box: at, x, y })}
                title={`Call tree of ${known.profileName}`}
              />
            ) : (
              <p class="muted">Nothing is left of the call tree: undo a step.</p>
            )
          ) : null}
          {mode === 'tree' && boxes ? (
            <TreeTable
              boxes={boxes}
              selected={state.selected}
              onSelect={(key) => setFlame({ selected: key })}
            />
          ) : null}
          {mode === 'functions' && functions ? (
            <FunctionTable
              functions={functions}
              spread={known.byWorker.table}
              only={only}
              maxHeight={Math.max(160, height)}
              onRow={(at) => setFlame({ mode: 'sandwich', focus: functions.pattern(at) })}
            />
          ) : null}
          {mode === 'sandwich' && functions ? (
            <Sandwich
              functions={functions}
              only={only}
              selection={selection.value}
              options={known.options}
              search={search}
            />
          ) : null}
          {mode === 'workers' ? (
            <WorkerPane spread={known.spread.table} error={known.spread.error} />
          ) : null}
          {isPicture && boxes ? <FlameLegend boxes={boxes} /> : null}
          {isPicture && leaves ? <p class="plot-caption tiny muted">{leaves}</p> : null}
          {docked}
          {boxes && menu && menu.box < boxes.count ? (
            <BoxMenu
              key={`${menu.box} ${menu.x} ${menu.y}`}
              x={menu.x}
              y={menu.y}
              title={boxes.name(menu.box)}
              actions={boxActions(boxes, menu.box, zoomTo)}
              onClose={() => setMenu(undefined)}
            />
          ) : null}
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
  const repeats = useRepeats();
  const source = String(notes.seconds_per_sample_source ?? '');
  const amounts = amountsOf(notes);
  const { total, unit, secondsPerSample } = amounts;
  if (!Number.isFinite(total)) return <span class="small muted">…</span>;
  const isKnown = source === 'recorded' || source.startsWith('calibrated');
  return (
    <span class="small muted">
      <b data-testid="flame-total">
        {unit === 'samples' ? `${count(Math.round(total))} samples` : amountText(amounts, total)}
      </b>
      {unit === 'samples' && Number.isFinite(secondsPerSample) ? (
        <span class="explained" title={`${duration(secondsPerSample)} per sample: ${source}`}>
          {' '}
          = {amountText(amounts, total)}
          {isKnown ? '' : ' (assumed)'}
          {repeats ? ', repeated work included' : ''}
        </span>
      ) : null}
    </span>
  );
}

interface BoxMenuProps {
  /** where it was asked for, in the window [px] */
  x: number;
  y: number;
  title: string;
  actions: readonly BoxAction[];
  onClose: () => void;
}

/** What can be done to the box under the pointer, where it was clicked with the other button. */
function BoxMenu({ x, y, title, actions, onClose }: BoxMenuProps) {
  const menu = usePopover();
  useLayoutEffect(() => {
    const sheet = menu.sheet.current;
    const closed = (event: Event) => (event as ToggleEvent).newState === 'closed' && onClose();
    sheet?.addEventListener('toggle', closed);
    sheet?.showPopover();
    sheet?.querySelector('button')?.focus();
    return () => sheet?.removeEventListener('toggle', closed);
  }, []);
  return (
    <span class="menu-point" style={{ left: `${x}px`, top: `${y}px` }} ref={menu.place}>
      <Popover of={menu} className="menu" testId="flame-menu">
        {() => (
          <>
            <p class="menu-title">{title}</p>
            {actions.map((action) => (
              <MenuItem key={action.id} testId={`flame-menu-${action.id}`} onPress={action.run}>
                {action.title}
                {action.key ? <kbd>{action.key}</kbd> : null}
              </MenuItem>
            ))}
          </>
        )}
      </Popover>
    </span>
  );
}
