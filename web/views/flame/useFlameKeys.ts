import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTyping } from '../common/isTyping';

export interface FlameKeys {
  reset: () => void;
  search: () => void;
  step: (by: number) => void;
  zoom: (factor: number) => void;
  pan: (share: number) => void;
}

/** 0 shows the whole, / searches, N and P change the profile, W S A D zoom and pan. */
export function useFlameKeys(keys: FlameKeys): void {
  const now = useRef(keys);
  now.current = keys;
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '0') now.current.reset();
      else if (event.key === '/') {
        event.preventDefault();
        now.current.search();
      } else if (event.key === 'n' || event.key === 'N') now.current.step(1);
      else if (event.key === 'p' || event.key === 'P') now.current.step(-1);
      else if (event.code === 'KeyW') now.current.zoom(1.5);
      else if (event.code === 'KeyS') now.current.zoom(1 / 1.5);
      else if (event.code === 'KeyA') now.current.pan(-0.2);
      else if (event.code === 'KeyD') now.current.pan(0.2);
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, []);
}
