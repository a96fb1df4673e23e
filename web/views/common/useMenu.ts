import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A menu that closes on a press elsewhere and on Esc. */
export function useMenu<E extends HTMLElement>(): {
  ref: RefObject<E | null>;
  shown: boolean;
  toggle: () => void;
  close: () => void;
} {
  const ref = useRef<E>(null);
  const [shown, setShown] = useState(false);
  useLayoutEffect(() => {
    if (!shown) return;
    const press = (event: PointerEvent) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) setShown(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setShown(false);
      // one level at a time: the selection stays
      event.stopPropagation();
      ref.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', press);
    document.addEventListener('keydown', key, true);
    return () => {
      document.removeEventListener('pointerdown', press);
      document.removeEventListener('keydown', key, true);
    };
  }, [shown]);
  return { ref, shown, toggle: () => setShown((old) => !old), close: () => setShown(false) };
}
