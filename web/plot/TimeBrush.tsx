import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { clamp } from './numbers';
import { isWhole, type Range, type TimeAxis } from './timeAxis';
import { type TimeGestures, useTimeGestures } from './timeGestures';

export interface TimeBrushProps
  extends Pick<TimeGestures, 'onHover' | 'onClick' | 'onDoubleClick' | 'samples'> {
  axis: TimeAxis;
  /** the overview always shows the whole axis, tracks the visible part */
  whole?: boolean;
  selected: Range | undefined;
  /** follows the pointer while it drags, `done` at its end; `undefined` clears */
  onSelect: (range: Range | undefined, done: boolean) => void;
  /** positions that are marked until they are unpinned */
  pins?: readonly number[] | undefined;
  /** the position under the cursor as text; undefined = no flag */
  cursorText?: ((position: number) => string) | undefined;
  /** a position in words, where it has no flag */
  positionText?: (position: number) => string;
  label: string;
  testId?: string;
  children?: ComponentChildren;
}

const noPins: readonly number[] = [];

/**
 * Lies over plots of one time axis: gestures, cursor, pins, and a veil outside of the selection.
 */
export function TimeBrush(props: TimeBrushProps) {
  const {
    axis,
    whole = false,
    selected,
    onSelect,
    pins = noPins,
    cursorText,
    label,
    testId,
    children,
  } = props;
  const positionText = cursorText ?? props.positionText ?? String;
  const ref = useRef<HTMLDivElement>(null);
  const dragging = useSignal(false);
  const handlers = useTimeGestures(ref, {
    axis,
    whole,
    selected,
    onSelect,
    onDragging: (is) => {
      dragging.value = is;
    },
    onHover: props.onHover,
    onClick: props.onClick,
    onDoubleClick: props.onDoubleClick,
    samples: props.samples,
  });
  const [begin, end] = whole ? axis.extent.value : axis.visible.value;
  const share = (position: number) => clamp((position - begin) / (end - begin), 0, 1) * 100;
  return (
    <div
      ref={ref}
      class={dragging.value ? 'brush brush-dragging' : 'brush'}
      data-testid={testId}
      tabIndex={0}
      role="slider"
      aria-label={label}
      aria-valuemin={begin}
      aria-valuemax={end}
      aria-valuenow={axis.cursor.value ?? begin}
      aria-valuetext={
        axis.cursor.value === undefined ? 'no cursor' : positionText(axis.cursor.value)
      }
      {...handlers}
    >
      {children}
      {selected ? (
        <>
          <div class="brush-veil" style={{ left: 0, width: `${share(selected[0])}%` }} />
          <div class="brush-veil" style={{ left: `${share(selected[1])}%`, right: 0 }} />
          {selected.map((edge, side) =>
            edge >= begin && edge <= end ? (
              <div
                key={side === 0 ? 'begin' : 'end'}
                class={whole ? 'brush-edge brush-edge-handle' : 'brush-edge'}
                style={{ left: `${share(edge)}%` }}
              />
            ) : null,
          )}
        </>
      ) : null}
      {whole && !isWhole(axis.visible.value, axis.extent.value) ? (
        <div
          class="brush-window"
          style={{
            left: `${share(axis.visible.value[0])}%`,
            width: `${share(axis.visible.value[1]) - share(axis.visible.value[0])}%`,
          }}
        />
      ) : null}
      {pins
        .filter((pin) => pin >= begin && pin <= end)
        .map((pin) => (
          <div key={pin} class="cursor-line cursor-pin" style={{ left: `${share(pin)}%` }}>
            {cursorText ? <span class="cursor-flag">{cursorText(pin)}</span> : null}
          </div>
        ))}
      <CursorLine axis={axis} whole={whole} cursorText={cursorText} />
    </div>
  );
}

/** Only this is drawn again when the pointer moves. */
function CursorLine({
  axis,
  whole,
  cursorText,
}: Pick<TimeBrushProps, 'axis' | 'cursorText'> & { whole: boolean }) {
  const position = axis.cursor.value;
  const [begin, end] = whole ? axis.extent.value : axis.visible.value;
  if (position === undefined || position < begin || position > end) return null;
  return (
    <div class="cursor-line" style={{ left: `${((position - begin) / (end - begin)) * 100}%` }}>
      {cursorText ? <span class="cursor-flag">{cursorText(position)}</span> : null}
    </div>
  );
}
