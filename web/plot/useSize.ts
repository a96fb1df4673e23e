import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export type CssPixels = number;

const printing = ['beforeprint', 'afterprint'] as const;

/**
 * The content width and height of an element, followed as it changes. 0 until it is measured: at
 * once, for which the page is laid out, or with the next frame, for which it is laid out anyway.
 */
export function useSize<E extends Element>(
  first: 'at once' | 'next frame' = 'at once',
): [RefObject<E | null>, CssPixels, CssPixels] {
  const ref = useRef<E>(null);
  const [size, setSize] = useState<[CssPixels, CssPixels]>([0, 0]);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const box = element.getBoundingClientRect();
      setSize((old) =>
        old[0] === box.width && old[1] === box.height ? old : [box.width, box.height],
      );
    };
    if (first === 'at once') measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // nothing is observed between these events and the printing (shell/printing.ts)
    for (const event of printing) window.addEventListener(event, measure);
    return () => {
      observer.disconnect();
      for (const event of printing) window.removeEventListener(event, measure);
    };
  }, []);
  return [ref, size[0], size[1]];
}
