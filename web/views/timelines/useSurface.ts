import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Surface, TrackHandler } from './surface';

/** Enters a track in the surface it lies under for as long as it is drawn. */
export function useSurface(surface: Surface, id: string, handler: TrackHandler): void {
  const now = useRef(handler);
  now.current = handler;
  // what is seen can be clicked
  useLayoutEffect(() => {
    const entry: TrackHandler = {
      element: () => now.current.element(),
      hover: (point) => now.current.hover?.(point),
      click: (point) => now.current.click?.(point) ?? false,
      doubleClick: (point) => now.current.doubleClick?.(point),
    };
    surface.set(id, entry);
    return () => {
      if (surface.get(id) === entry) surface.delete(id);
    };
  }, [surface, id]);
}
