import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { TrackFrame } from '../../plot/drawTrack';
import { barAt, forWideBars, type Gantt, laneTop, paintGantt } from '../../plot/gantt';
import { at } from '../../plot/numbers';
import { colour, inkOnRgb, paletteGeneration } from '../../plot/palette';
import { PixelBuffer, pixelOf } from '../../plot/pixels';
import { Track } from '../../plot/Track';
import { chartFont } from '../../plot/textWidth';
import type { TimeAxis } from '../../plot/timeAxis';
import { type Surface, useSurface } from './surface';

/** Words beside the bars of a lane. */
export interface LaneMark {
  lane: number;
  moment: number;
  sign: string;
  text: string;
  /** they end at the moment; else they begin there */
  ends?: boolean;
}

export interface GanttPlotProps {
  id: string;
  axis: TimeAxis;
  surface: Surface;
  gantt: Gantt;
  /** a pixel for each row of the data */
  colours: Uint32Array;
  height: number;
  /** what stands before the number of a lane where there is room for it; undefined = no number */
  laneName: string | undefined;
  marks?: readonly LaneMark[];
  /** the lines of text in a wide bar */
  barText: (row: number) => readonly string[];
  tooltip: (row: number) => ComponentChildren;
  /** a bar was clicked; -1 = none */
  onPick: (row: number, point: { clientX: number; clientY: number }) => void;
  picked: number;
  /** the bar that is marked, here or where else its row is shown; -1 = none */
  hovered?: number;
  /** the bar under the pointer; -1 = none */
  onHover?: (row: number) => void;
  label: string;
}

const labelledLane = 24;
const labelledBar = 40;
const reachPixels = 3;
const namedLanes = 16;

/** Bars on lanes. Only what is visible is drawn, and a pixel once. */
export function GanttPlot(props: GanttPlotProps) {
  const {
    id,
    axis,
    surface,
    gantt,
    colours,
    height,
    laneName,
    marks = noMarks,
    barText,
    tooltip,
    onPick,
    picked,
    label,
  } = props;
  const { hovered = -1, onHover } = props;
  const generation = paletteGeneration.value;
  const layers = useMemo(() => {
    const buffer = new PixelBuffer();
    const ground = pixelOf('--surface-2');
    const paint = (context: CanvasRenderingContext2D, frame: TrackFrame) => {
      const width = Math.round(frame.width * frame.ratio);
      const rows = Math.round(frame.height * frame.ratio);
      const laneHeight = frame.height / Math.max(1, gantt.lanes);
      const gap = laneHeight >= 3 ? Math.round(Math.min(4, laneHeight / 8 + 0.6) * frame.ratio) : 0;
      buffer.clear(width, rows);
      paintGantt(
        gantt,
        {
          begin: frame.begin,
          end: frame.end,
          width,
          height: rows,
          gap,
          colourOf: (row) => colours[row] ?? 0,
          ground,
        },
        buffer.pixels,
      );
      buffer.drawOn(context, 0, 0, frame.width, frame.height);
      const x = (time: number) => ((time - frame.begin) / (frame.end - frame.begin)) * frame.width;
      if (laneHeight >= labelledLane) {
        const least = (labelledBar / frame.width) * (frame.end - frame.begin);
        forWideBars(gantt, frame.begin, frame.end, least, (row, lane, from, until) => {
          const left = Math.max(0, x(from));
          const room = Math.min(frame.width, x(until)) - left - 8;
          writeLines(
            context,
            barText(row),
            left + 5,
            lane * laneHeight,
            laneHeight - gap,
            room,
            colours[row] ?? 0,
          );
        });
      }
      if (laneHeight >= markedLane)
        for (const mark of marks)
          writeMark(context, mark, x(mark.moment), (mark.lane + 0.5) * laneHeight, frame.width);
      const outline = (row: number, line: number) => {
        const bar = row >= 0 ? gantt.row.indexOf(row) : -1;
        if (bar < 0) return;
        let lane = 0;
        while (at(gantt.laneStart, lane + 1) <= bar) lane += 1;
        const top = laneTop(lane, gantt.lanes, frame.height);
        const left = x(at(gantt.begin, bar));
        const width = Math.max(2, x(at(gantt.end, bar)) - left);
        // seen on bars of any colour
        for (const [ink, wide] of [
          ['--surface', line + 3],
          ['--text', line],
        ] as const) {
          context.strokeStyle = colour(ink);
          context.lineWidth = wide;
          context.strokeRect(left, top, width, Math.max(2, laneHeight - gap));
        }
      };
      if (hovered !== picked) outline(hovered, 1.5);
      outline(picked, 2);
    };
    return [{ kind: 'paint', paint } as const];
  }, [gantt, colours, barText, marks, picked, hovered, generation]);
  const box = useRef<HTMLDivElement>(null);
  const rowUnder = (moment: number, down: number): number => {
    const [begin, end] = axis.visible.peek();
    const reach = (reachPixels / Math.max(1, box.current?.clientWidth ?? 1)) * (end - begin);
    return barAt(gantt, Math.floor(down * gantt.lanes), moment, reach);
  };
  useSurface(surface, id, {
    element: () => box.current,
    hover: (point) => {
      const row = point ? rowUnder(point.moment, point.down) : -1;
      onHover?.(row);
      return row < 0 ? undefined : tooltip(row);
    },
    click: (point) => {
      const row = rowUnder(point.moment, point.down);
      onPick(row, point);
      return row >= 0;
    },
    doubleClick: (point) => {
      const row = rowUnder(point.moment, point.down);
      const bar = row < 0 ? -1 : gantt.row.indexOf(row);
      if (bar < 0) return;
      const begin = at(gantt.begin, bar);
      const length = Math.max(1e-3, at(gantt.end, bar) - begin);
      axis.visible.value = [begin - length / 2, begin + 1.5 * length];
    },
  });
  const laneTicks = useMemo(() => {
    if (laneName === undefined) return [];
    if (gantt.lanes > namedLanes) {
      return [
        { value: 1, label: '1' },
        { value: 0, label: String(gantt.lanes) },
      ];
    }
    return Array.from({ length: gantt.lanes }, (_, lane) => ({
      value: 1 - (lane + 0.5) / gantt.lanes,
      label: gantt.lanes <= 8 ? `${laneName} ${lane + 1}` : String(lane + 1),
    }));
  }, [gantt, laneName]);
  return (
    <div ref={box} class="gantt" data-testid={`gantt-${id}`} data-lanes={gantt.lanes}>
      <Track over={axis} layers={layers} height={height} top={1} ticks={laneTicks} label={label} />
    </div>
  );
}

const noMarks: readonly LaneMark[] = [];
const markedLane = 12;
const font = chartFont(11, 600);

/** Its sign, and its text where there is room beside it. */
function writeMark(
  context: CanvasRenderingContext2D,
  { sign, text, ends = false }: LaneMark,
  x: number,
  y: number,
  width: number,
): void {
  if (x < 0 || x > width) return;
  context.font = font;
  context.textBaseline = 'middle';
  context.fillStyle = colour(ends ? '--text-2' : '--bad');
  const whole = ends ? `${text} ${sign}` : `${sign} ${text}`;
  const room = ends ? x : width - x;
  context.textAlign = ends ? 'right' : 'left';
  context.fillText(
    context.measureText(whole).width + 6 < room ? whole : sign,
    x + (ends ? -3 : 3),
    y,
  );
  context.textAlign = 'left';
}

const lineHeight = 14;

function writeLines(
  context: CanvasRenderingContext2D,
  lines: readonly string[],
  left: number,
  top: number,
  height: number,
  room: number,
  pixel: number,
): void {
  context.font = font;
  context.textBaseline = 'middle';
  context.fillStyle = inkOnRgb([pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255]);
  const fitting = lines.slice(0, Math.max(1, Math.floor(height / lineHeight)));
  fitting.forEach((line, index) => {
    if (context.measureText(line).width > room) return;
    context.fillText(
      line,
      left,
      top + height / 2 + (index - (fitting.length - 1) / 2) * lineHeight,
    );
  });
}
