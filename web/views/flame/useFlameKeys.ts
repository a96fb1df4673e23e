import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTyping } from '../common/isTyping';

export interface FlameKeys {
  reset: () => void;
  search: () => void;
  step: (by: number) => void;
  zoom: (factor: number) => void;
  pan: (share: number) => void;
  /** the selected function: only what is at and below it */
  focus: () => void;
  fit: () => void;
  /** true when something was selected and no longer is */
  clear: () => boolean;
  recursion: () => void;
}

/**
 * 0 shows the whole, / searches, N and P change the profile, W S A D and + - zoom and pan, Z fits the selected box, F focuses
 * its function, R collapses recursion.
 */
export function useFlameKeys(keys: FlameKeys): void {
  const now = useRef(keys);
  now.current = keys;
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const pressed = event.key.toLowerCase();
      if (pressed === 'escape') {
        // one level at a time: what is open above the picture, then its selection, then the filter
        const above = document.querySelector('.menu, dialog[open], .tooltip-pinned, .panel-expanded');
        if (!above && now.current.clear()) event.stopImmediatePropagation();
        return;
      }
      if (pressed === '0') now.current.reset();
      else if (pressed === '/') {
        event.preventDefault();
        now.current.search();
      } else if (pressed === 'n') now.current.step(1);
      else if (pressed === 'p') now.current.step(-1);
      else if (pressed === 'f') now.current.focus();
      else if (pressed === 'z') now.current.fit();
      else if (pressed === 'r') now.current.recursion();
      else if (pressed === '+' || pressed === '=') now.current.zoom(2);
      else if (pressed === '-' || pressed === '_') now.current.zoom(1 / 2);
      else if (event.code === 'KeyW') now.current.zoom(1.5);
      else if (event.code === 'KeyS') now.current.zoom(1 / 1.5);
      else if (event.code === 'KeyA') now.current.pan(-0.2);
      else if (event.code === 'KeyD') now.current.pan(0.2);
    };
    window.addEventListener('keydown', key, true);
    return () => window.removeEventListener('keydown', key, true);
  }, []);
}
