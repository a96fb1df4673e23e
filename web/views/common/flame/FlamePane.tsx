import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { count, fixed, listed } from '../../../plot/format';
import { Icicle } from '../../../plot/Icicle';
import { IcicleMap } from '../../../plot/IcicleMap';
import { inkOn } from '../../../plot/palette';
import { axisTicks } from '../../../plot/scales';
import type { Range } from '../../../plot/timeAxis';
import { useSize } from '../../../plot/useSize';
import { flame, toggleLibrary } from '../../../state/flame';
import { type Amounts, amountText, boxText, coreFactor, momentText, shareText } from './amounts';
import { FlameTooltip } from './FlameTooltip';
import { type FlameBoxes, libraryOf } from './flameBoxes';
import { boxColour, isSection } from './flameColours';
import type { FunctionRows } from './functionRows';

/**
 * Within packages the core has cut what is the same for all; of one's own files the last folder is
 * enough.
 */
const shownFile = (file: string): string =>
  file.startsWith('/') ? file.split('/').slice(-2).join('/') : file;

export interface OwnLook {
  colour: (boxes: FlameBoxes, box: number) => string;
  tooltip: (boxes: FlameBoxes, box: number) => ComponentChildren;
}

export interface FlamePaneProps {
  boxes: FlameBoxes;
  overview: FlameBoxes;
  functions?: FunctionRows | undefined;
  visible: Range;
  onVisible: (range: Range) => void;
  /** the key of the selected box */
  selected: string;
  onSelect: (key: string) => void;
  /** asked for what can be done to a box, at that place of the window [px] */
  onMenu?: ((box: number, x: number, y: number) => void) | undefined;
  title: string;
  rootless?: boolean;
  upwards?: boolean;
  testId?: string;
  /** another picture than the Flame graph's: it has its own colours and words, and no search */
  own?: OwnLook | undefined;
}

/** One call tree: map, axis and icicle, with the page's colours and search. */
export function FlamePane(props: FlamePaneProps) {
  const {
    boxes,
    overview,
    functions,
    visible,
    onVisible,
    selected,
    onSelect,
    title,
    rootless,
    upwards,
    own,
  } = props;
  const { colour } = flame.value;
  const box = boxes.boxOf(selected);
  const frame = box >= 0 ? boxes.frameOf(box) : -1;
  const paintOf = (of: FlameBoxes) =>
    own ? (at: number) => own.colour(of, at) : boxColour(of, colour);
  const colourOf = useMemo(() => paintOf(boxes), [boxes.unmarked, colour, own]);
  const mapColour = useMemo(() => {
    const of = paintOf(overview);
    return (at: number) =>
      overview.more(at) > 0 ? '--line-2' : overview.isUnresolved(at) ? '--ph-idle' : of(at);
  }, [overview.unmarked, colour, own]);
  const look = useMemo(
    () => ({
      name: (at: number) =>
        boxes.isUnresolved(at)
          ? 'in callees (unresolved)'
          : `${libraryOf(boxes, at) ? '▸ ' : ''}${boxes.name(at)}`,
      detail: (at: number) =>
        boxes.isUnresolved(at) || libraryOf(boxes, at) ? '' : shownFile(boxes.file(at)),
      share: (at: number) => (boxes.isUnresolved(at) ? '' : boxText(boxes, boxes.totalOf(at))),
      colour: colourOf,
      ink: (at: number) => (own || isSection(boxes, at) ? inkOn(colourOf(at)) : '--pk-ink'),
      hatched: boxes.isUnresolved,
      hatchedShare: (at: number) =>
        boxes.totalOf(at) > 0 ? boxes.estimatedOf(at) / boxes.totalOf(at) : 0,
      grey: (at: number) => boxes.more(at) > 0,
      related: (at: number) => frame >= 0 && boxes.frameOf(at) === frame,
      matched: boxes.isMatch,
    }),
    [boxes, colourOf, frame, own],
  );
  return (
    <>
      <IcicleMap
        index={overview.index}
        colourOf={mapColour}
        matched={overview.isMatch}
        visible={visible}
        onVisible={onVisible}
        upwards={upwards}
        label={`${title}: the whole, the visible part framed`}
        testId={props.testId ? `${props.testId}-map` : 'flame-map'}
      />
      <ShareAxis visible={visible} of={boxes} time={boxes.time} />
      <Icicle
        index={boxes.index}
        look={look}
        visible={visible}
        onVisible={onVisible}
        selected={box}
        onSelect={(at) => onSelect(boxes.keyOf(at))}
        onOpen={(at) => {
          const library = libraryOf(boxes, at);
          if (library) toggleLibrary(library);
          return library !== '';
        }}
        onMenu={props.onMenu}
        tooltip={(at) =>
          own ? (
            own.tooltip(boxes, at)
          ) : (
            <FlameTooltip boxes={boxes} box={at} functions={functions} />
          )
        }
        label={`${title}: ${count(boxes.count)} boxes, ${boxes.index.rows} deep, ${count(Math.round(boxes.total))} ${boxes.unit}`}
        rootless={rootless}
        upwards={upwards}
        testId={props.testId}
      />
      <p class="visually-hidden" aria-live="polite" data-testid="flame-report">
        {box >= 0
          ? listed([look.name(box), look.detail(box), shareText(boxes, boxes.totalOf(box))], ', ')
          : ''}
      </p>
    </>
  );
}

interface ShareAxisProps {
  visible: Range;
  of: Amounts;
  /**
   * in the profile's unit, where the boxes stand in the order of time: the axis says when, not
   * which share
   */
  time: Range | undefined;
}

const percent = (label: string): string => `${label}\u2009%`;

/** Core time along the icicle, else the share of the whole profile, or the time since its begin. */
function ShareAxis({ visible, of, time }: ShareAxisProps) {
  const [ref, width] = useSize<HTMLDivElement>();
  const [begin, end] = visible;
  const factor = time ? undefined : coreFactor(of);
  const [from, to] = time ?? [0, factor === undefined ? 100 : of.total * factor];
  const at = (share: number) => from + share * (to - from);
  const ticks =
    width > 0 ? axisTicks(at(begin), at(end), Math.max(2, Math.round(width / 110))) : [];
  const x = (value: number) => ((value - at(begin)) / (at(end) - at(begin))) * width;
  const whole = end - begin > 0.999;
  const wholeText = amountText(of, of.total);
  const endText = time
    ? momentText(of, to)
    : factor === undefined
      ? `${percent(fixed(100, 0))} = ${wholeText}`
      : wholeText;
  return (
    <div ref={ref} class="flame-axis" aria-hidden="true" data-testid="flame-axis">
      {width > 0 ? (
        <svg aria-hidden="true" width={width} height={18}>
          {ticks
            .filter((tick) => !whole || x(tick.value) < width - 180 || tick.value === from)
            .map((tick) => (
              <text
                key={tick.value}
                x={x(tick.value)}
                y={12}
                text-anchor={
                  x(tick.value) < 12 ? 'start' : x(tick.value) > width - 20 ? 'end' : 'middle'
                }
              >
                {time
                  ? momentText(of, tick.value)
                  : factor === undefined
                    ? percent(tick.label)
                    : tick.label}
              </text>
            ))}
          {whole ? (
            <text x={width} y={12} text-anchor="end">
              {endText}
            </text>
          ) : null}
        </svg>
      ) : null}
    </div>
  );
}
