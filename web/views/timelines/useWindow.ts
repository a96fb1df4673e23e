import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TimeAxis } from '../../plot/timeAxis';
import type { TimeRange } from '../../state/selection';

export interface AskedWindow {
  /** undefined = the whole run */
  time: [number, number] | undefined;
  bins: number;
}

/**
 * The stretch to ask for so that what is visible is drawn at its pixels: twice as long as the
 * visible part rounded up to a power of two of the run, at a multiple of half its length. Panning
 * and small zooms stay within it and ask nothing.
 */
export function windowAround(
  [begin, end]: TimeRange,
  extent: TimeRange,
  pixels: number,
): AskedWindow {
  const whole = extent[1] - extent[0];
  const level = Math.floor(Math.log2(whole / (end - begin)) + 1e-9);
  const binsOf = (perPixel: number) =>
    Math.min(4096, Math.max(256, Math.ceil((perPixel * pixels) / 256) * 256));
  if (level < 2) return { time: undefined, bins: binsOf(2) };
  // two to four times what is visible, which begins in the window's first half and so ends within
  // it
  const length = whole / 2 ** (level - 1);
  const place = Math.floor(((begin - extent[0]) / length) * 2) / 2;
  const from = extent[0] + Math.min(Math.max(0, place * length), whole - length);
  return { time: [from, from + length], bins: binsOf(4) };
}

/** The window for what is visible on `axis`; the component is drawn again only when it changes. */
export function useWindow(axis: TimeAxis, pixels: number): AskedWindow {
  const key = useMemo(
    () =>
      computed(() => JSON.stringify(windowAround(axis.visible.value, axis.extent.value, pixels))),
    [axis, pixels],
  );
  const text = key.value;
  return useMemo(() => JSON.parse(text) as AskedWindow, [text]);
}
