import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ownKeys } from '../ui/keys';
import { hideTooltip, showTooltip } from '../ui/tooltip';
import { drawIcicle, type IcicleLook, rowTop } from './drawIcicle';
import { ancestry, boxAt, childrenOf, type IcicleIndex } from './icicleLayout';
import { at, clamp } from './numbers';
import { PlotCanvas } from './PlotCanvas';
import { panned, type Range, wheelFactor, within, zoomed } from './timeAxis';
import { useSize } from './useSize';

export interface IcicleProps {
  index: IcicleIndex;
  look: Omit<IcicleLook, 'selected' | 'hovered'>;
  visible: Range;
  onVisible: (range: Range) => void;
  selected: number;
  onSelect: (box: number) => void;
  /** a click or Enter, before it selects or zooms; true = that was all it is to do */
  onOpen?: ((box: number) => boolean) | undefined;
  /** the other button of the mouse, or the key for it; a place of the window [px] */
  onMenu?: ((box: number, x: number, y: number) => void) | undefined;
  tooltip: (box: number) => ComponentChildren;
  label: string;
  /** the root's row is left out */
  rootless?: boolean | undefined;
  /** the root stands at the bottom: callers above callees */
  upwards?: boolean | undefined;
  testId?: string | undefined;
}

const rowHeight = 22;
const whole: Range = [0, 1];
const dragPixels = 4;
/**
 * Zooming stops where this share of the whole fills the width: a float still tells pixels apart.
 */
export const smallestIcicle = 1e-9;

/**
 * A flame graph hanging down: canvas as large as the window on it, rows scroll, Ctrl-wheel zooms,
 * drag pans.
 */
export function Icicle(props: IcicleProps) {
  const {
    index,
    look,
    visible,
    onVisible,
    selected,
    onSelect,
    tooltip,
    label,
    upwards = false,
  } = props;
  const [begin, end] = visible;
  const skipped = props.rootless ? 1 : 0;
  const rows = Math.max(0, index.rows - skipped);
  const [box, width, height] = useSize<HTMLDivElement>();
  const [scrolled, setScrolled] = useState(0);
  const [hovered, setHovered] = useState(-1);
  const drag = useRef<
    { x: number; y: number; range: Range; top: number; moved: boolean } | undefined
  >(undefined);
  // callers are read from the bottom up
  useLayoutEffect(() => {
    if (upwards && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [upwards, rows]);
  // what is selected from elsewhere is brought into sight
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || selected < 0 || height <= 0) return;
    const top = rowTop(
      { rowHeight, skipped, upwards },
      index.rows,
      at(index.boxes.depth, selected),
    );
    element.scrollTop = clamp(element.scrollTop, top + rowHeight - height, top);
  }, [index, selected, height, skipped, upwards]);
  // the wheel listener is registered once and must see the range of now
  const now = useRef({ visible, width, onVisible });
  now.current = { visible, width, onVisible };

  const draw = useMemo(
    () => (context: CanvasRenderingContext2D, ratio: number) =>
      drawIcicle(
        context,
        index,
        { ...look, selected, hovered },
        { begin, end, width, height, scrolled, rowHeight, ratio, skipped, upwards },
      ),
    [index, look, begin, end, selected, hovered, width, height, scrolled, skipped, upwards],
  );

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const { visible: range, width: pixels, onVisible: report } = now.current;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const bounds = element.getBoundingClientRect();
        const centre = range[0] + ((event.clientX - bounds.left) / pixels) * (range[1] - range[0]);
        report(zoomed(range, whole, centre, wheelFactor(event), smallestIcicle));
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        report(
          panned(range, whole, (event.deltaX / pixels) * (range[1] - range[0]), smallestIcicle),
        );
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  const boxUnder = (event: MouseEvent): number => {
    const bounds = box.current?.getBoundingClientRect();
    if (!bounds || width <= 0) return -1;
    const position =
      visible[0] + ((event.clientX - bounds.left) / width) * (visible[1] - visible[0]);
    const row = Math.floor(
      (event.clientY - bounds.top + (box.current?.scrollTop ?? 0)) / rowHeight,
    );
    if (row < 0 || row >= rows) return -1;
    return boxAt(index, skipped + (upwards ? rows - 1 - row : row), position);
  };

  const move = (event: PointerEvent) => {
    const from = drag.current;
    if (from && (event.buttons & 1) === 1) {
      const byX = event.clientX - from.x;
      const byY = event.clientY - from.y;
      if (!from.moved && Math.hypot(byX, byY) < dragPixels) return;
      if (!from.moved) box.current?.setPointerCapture(event.pointerId);
      from.moved = true;
      hideTooltip();
      onVisible(
        panned(from.range, whole, (-byX / width) * (from.range[1] - from.range[0]), smallestIcicle),
      );
      if (box.current) box.current.scrollTop = from.top - byY;
      return;
    }
    const under = boxUnder(event);
    setHovered(under);
    if (under >= 0) showTooltip(event.clientX, event.clientY, tooltip(under));
    else hideTooltip();
  };

  const zoomTo = (target: number) => {
    if (target < 0) return;
    onVisible(
      within([at(index.boxes.begin, target), at(index.boxes.end, target)], whole, smallestIcicle),
    );
  };

  const menuOf = (target: number, { clientX, clientY }: MouseEvent) => {
    if (target < 0 || look.grey(target)) return;
    hideTooltip();
    props.onMenu?.(target, clientX, clientY);
  };

  const walk = (direction: Direction) => () => {
    const start = selected >= 0 ? selected : at(index.byDepth[0] ?? [], 0);
    const next = neighbour(index, start, direction);
    if (next >= 0) onSelect(selected >= 0 ? next : start);
  };
  const keys = ownKeys({
    ArrowUp: walk(upwards ? 'in' : 'out'),
    ArrowDown: walk(upwards ? 'out' : 'in'),
    ArrowLeft: walk('left'),
    ArrowRight: walk('right'),
    Enter: () => (selected >= 0 && props.onOpen?.(selected)) || zoomTo(selected),
    Escape: () => selected >= 0 && onSelect(-1),
  });

  return (
    <div
      ref={box}
      class="icicle"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is walked with the arrow keys
      tabIndex={0}
      role="img"
      aria-label={label}
      data-testid={props.testId ?? 'icicle'}
      onScroll={() => setScrolled(box.current?.scrollTop ?? 0)}
      onPointerDown={(event) => {
        if (event.button === 0) {
          drag.current = {
            x: event.clientX,
            y: event.clientY,
            range: visible,
            top: box.current?.scrollTop ?? 0,
            moved: false,
          };
        }
      }}
      onPointerMove={move}
      onPointerUp={(event) => {
        const moved = drag.current?.moved ?? true;
        drag.current = undefined;
        const under = moved ? -1 : boxUnder(event);
        if (!moved && !(under >= 0 && props.onOpen?.(under)))
          onSelect(under >= 0 && look.grey(under) ? -1 : under);
        // what is opened while the button is down is closed when it comes up
        if (event.button === 2) setTimeout(() => menuOf(boxUnder(event), event));
      }}
      onPointerCancel={() => {
        // the browser scrolls or zooms by itself from here on
        drag.current = undefined;
      }}
      onContextMenu={(event) => {
        if (!props.onMenu) return;
        event.preventDefault();
        if (event.button !== 2) menuOf(selected >= 0 ? selected : boxUnder(event), event);
      }}
      onPointerLeave={() => {
        setHovered(-1);
        hideTooltip();
      }}
      onDblClick={(event) => zoomTo(boxUnder(event))}
      onKeyDown={keys}
    >
      <PlotCanvas
        draw={draw}
        width={width}
        height={height}
        class="icicle-canvas"
        place={{ width: `${width}px`, height: `${height}px`, top: `${scrolled}px` }}
      />
      <div class="icicle-rows" style={{ height: `${rows * rowHeight}px` }} />
    </div>
  );
}

type Direction = 'out' | 'in' | 'left' | 'right';

/** The box beside another, around it or in it; -1 = none there. */
function neighbour(index: IcicleIndex, from: number, direction: Direction): number {
  if (direction === 'out') return at(index.parent, from);
  if (direction === 'in') {
    // the widest child: the narrow ones are seldom meant
    const width = (child: number) => at(index.boxes.end, child) - at(index.boxes.begin, child);
    return childrenOf(index, from).reduce(
      (best, child) => (best < 0 || width(child) > width(best) ? child : best),
      -1,
    );
  }
  const row = index.byDepth[ancestry(index, from).length - 1] ?? new Uint32Array();
  return row[row.indexOf(from) + (direction === 'left' ? -1 : 1)] ?? -1;
}
