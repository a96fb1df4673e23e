import { useLayoutEffect, useRef } from 'preact/hooks';
import { Fills } from './fills';
import { type IcicleIndex, visibleBoxes } from './icicleLayout';
import { clamp } from './numbers';
import { colour, paletteGeneration } from './palette';
import { type Range, within } from './timeAxis';
import { useSize } from './useSize';

export interface IcicleMapProps {
  index: IcicleIndex;
  colourOf: (box: number) => string;
  /** undefined = no search */
  matched?: ((box: number) => boolean) | undefined;
  visible?: Range | undefined;
  /** absent: the map is a picture only */
  onVisible?: ((range: Range) => void) | undefined;
  upwards?: boolean | undefined;
  height?: number;
  label: string;
  testId?: string | undefined;
}

const whole: Range = [0, 1];
const clickPixels = 3;

/** The whole icicle made small: hits of a search stand out, the visible part is framed, a drag outside of it chooses another. */
export function IcicleMap(props: IcicleMapProps) {
  const { index, colourOf, matched, visible, onVisible, upwards = false, height = 46, label } = props;
  const [box, width] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ x: number; from: Range; inside: boolean; at: number } | undefined>(undefined);
  const generation = paletteGeneration.value;

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width <= 0) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const rowHeight = clamp(height / Math.max(1, index.rows), 0.5, 6);
    // of trees deeper than the map has pixels, one row per pixel
    const step = Math.max(1, Math.ceil((index.rows * 0.5) / height));
    const draw = (wanted: (found: number) => boolean, fill: (found: number) => string, alpha: number) => {
      const fills = new Fills(context);
      for (let row = 0; row < index.rows; row += step) {
        const place = (row / step) * rowHeight;
        const top = upwards ? height - place - rowHeight : place;
        for (const { box: found, left, right } of visibleBoxes(index, row, 0, 1, width)) {
          if (!wanted(found)) continue;
          fills.add(fill(found), alpha, left, top, Math.max(0.6, right - left), Math.max(0.5, rowHeight - 0.3));
        }
      }
      fills.finish();
    };
    draw(
      () => true,
      (found) => colour(found < 0 ? '--line-2' : colourOf(found)),
      matched ? 0.3 : 1,
    );
    if (matched)
      draw(
        (found) => found >= 0 && matched(found),
        () => colour('--accent'),
        1,
      );
    context.globalAlpha = 1;
  }, [index, colourOf, matched, width, height, generation, upwards]);

  const position = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    return bounds ? clamp((event.clientX - bounds.left) / bounds.width, 0, 1) : 0;
  };
  const down = (event: PointerEvent) => {
    if (!onVisible || !visible || event.button !== 0) return;
    const at = position(event);
    const isWhole = visible[1] - visible[0] > 0.999;
    drag.current = { x: event.clientX, from: visible, inside: !isWhole && at >= visible[0] && at <= visible[1], at };
    box.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const now = drag.current;
    if (!now || !onVisible || Math.abs(event.clientX - now.x) < clickPixels) return;
    const at = position(event);
    const by = at - now.at;
    if (now.inside) onVisible(within([now.from[0] + by, now.from[1] + by], whole, 1e-9));
    else onVisible(within([Math.min(at, now.at), Math.max(at, now.at)], whole, 1e-9));
  };
  return (
    <div
      ref={box}
      class={onVisible ? 'icicle-map icicle-map-active' : 'icicle-map'}
      style={{ height: `${height}px` }}
      role="img"
      aria-label={label}
      data-testid={props.testId}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onDblClick={() => onVisible?.(whole)}
    >
      <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} />
      {visible && visible[1] - visible[0] < 0.9999 ? (
        <>
          <div class="icicle-map-veil" style={{ left: 0, width: `${visible[0] * 100}%` }} />
          <div class="icicle-map-veil" style={{ right: 0, width: `${(1 - visible[1]) * 100}%` }} />
        </>
      ) : null}
      {visible ? (
        <div
          class="icicle-map-frame"
          style={{ left: `${visible[0] * 100}%`, width: `max(3px, ${(visible[1] - visible[0]) * 100}%)` }}
        />
      ) : null}
    </div>
  );
}
