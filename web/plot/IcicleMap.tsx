import { useMemo, useRef } from 'preact/hooks';
import { paintBox } from './boxPixels';
import { Fills } from './fills';
import { type IcicleIndex, visibleBoxes } from './icicleLayout';
import { clamp } from './numbers';
import { PlotCanvas } from './PlotCanvas';
import { colour, paletteGeneration } from './palette';
import { pixelRatio } from './pixelRatio';
import { PixelBuffer, pixelOf } from './pixels';
import { type Range, within } from './timeAxis';
import { type CssPixels, useSize } from './useSize';

export interface IcicleMapProps {
  index: IcicleIndex;
  colourOf: (box: number) => string;
  /** undefined = no search */
  matched?: ((box: number) => boolean) | undefined;
  visible: Range;
  onVisible: (range: Range) => void;
  upwards?: boolean | undefined;
  label: string;
  testId?: string | undefined;
}

const whole: Range = [0, 1];
const clickPixels = 3;
const height = 46;

/** A map without hits: another search leaves it as it is. */
interface MapPicture {
  pixels: PixelBuffer;
  top: CssPixels;
  height: CssPixels;
  /** what can be a hit */
  boxes: { box: number; left: CssPixels; top: CssPixels; width: CssPixels; height: CssPixels }[];
}

interface MapFrame {
  width: CssPixels;
  height: CssPixels;
  ratio: number;
  upwards: boolean;
}

function pictureOf(
  index: IcicleIndex,
  colourOf: (box: number) => string,
  { width, height, ratio, upwards }: MapFrame,
): MapPicture {
  const rowHeight = clamp(height / Math.max(1, index.rows), 0.5, 6);
  // of trees deeper than the map has pixels, one row per pixel
  const step = Math.max(1, Math.ceil((index.rows * 0.5) / height));
  const rows = Math.ceil(index.rows / step);
  const columns = Math.round(width * ratio);
  const pixels = new PixelBuffer();
  pixels.clear(columns, rows);
  const boxes: MapPicture['boxes'] = [];
  for (let row = 0; row < rows; row += 1) {
    const place = upwards ? rows - 1 - row : row;
    const top = upwards ? height - (row + 1) * rowHeight : row * rowHeight;
    for (const { box, left, right } of visibleBoxes(index, row * step, 0, 1, width)) {
      const pixel = pixelOf(box < 0 ? '--line-2' : colourOf(box));
      const shown = { box, left, top, width: Math.max(0.6, right - left), height: rowHeight };
      paintBox(pixels.pixels, columns, place, pixel, 1, left * ratio, (left + shown.width) * ratio);
      if (box >= 0) boxes.push(shown);
    }
  }
  return { pixels, top: upwards ? height - rows * rowHeight : 0, height: rows * rowHeight, boxes };
}

/**
 * The whole icicle made small: hits of a search stand out, the visible part is framed, a drag
 * outside of it chooses another.
 */
export function IcicleMap(props: IcicleMapProps) {
  const { index, colourOf, matched, visible, onVisible, upwards = false, label } = props;
  const [box, width] = useSize<HTMLDivElement>();
  const drag = useRef<{ x: number; from: Range; inside: boolean; at: number } | undefined>(
    undefined,
  );
  const generation = paletteGeneration.value;
  const ratio = pixelRatio();
  const picture = useMemo(
    () => (width > 0 ? pictureOf(index, colourOf, { width, height, ratio, upwards }) : undefined),
    [index, colourOf, width, height, ratio, generation, upwards],
  );

  const draw = useMemo(
    () => (context: CanvasRenderingContext2D) => {
      context.clearRect(0, 0, width, height);
      context.globalAlpha = matched ? 0.3 : 1;
      picture?.pixels.drawOn(context, 0, picture.top, width, picture.height);
      context.globalAlpha = 1;
      if (!matched || !picture) return;
      const fills = new Fills(context);
      for (const { box: found, left, top, width: wide, height: high } of picture.boxes)
        if (matched(found)) fills.add(colour('--accent'), 1, left, top, wide, high);
      fills.finish();
    },
    [picture, matched],
  );

  const position = (event: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    return bounds ? clamp((event.clientX - bounds.left) / bounds.width, 0, 1) : 0;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const at = position(event);
    const isWhole = visible[1] - visible[0] > 0.999;
    drag.current = {
      x: event.clientX,
      from: visible,
      inside: !isWhole && at >= visible[0] && at <= visible[1],
      at,
    };
    box.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const now = drag.current;
    if (!now || Math.abs(event.clientX - now.x) < clickPixels) return;
    const at = position(event);
    const by = at - now.at;
    if (now.inside) onVisible(within([now.from[0] + by, now.from[1] + by], whole, 1e-9));
    else onVisible(within([Math.min(at, now.at), Math.max(at, now.at)], whole, 1e-9));
  };
  const up = () => {
    drag.current = undefined;
  };
  return (
    <div
      ref={box}
      class="icicle-map"
      style={{ height: `${height}px` }}
      role="img"
      aria-label={label}
      data-testid={props.testId}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onDblClick={() => onVisible(whole)}
    >
      <PlotCanvas draw={draw} width={width} height={height} />
      {visible[1] - visible[0] < 0.9999 ? (
        <>
          <div class="icicle-map-veil" style={{ left: 0, width: `${visible[0] * 100}%` }} />
          <div class="icicle-map-veil" style={{ right: 0, width: `${(1 - visible[1]) * 100}%` }} />
        </>
      ) : null}
      <div
        class="icicle-map-frame"
        style={{
          left: `${visible[0] * 100}%`,
          width: `max(3px, ${(visible[1] - visible[0]) * 100}%)`,
        }}
      />
    </div>
  );
}
