import { useLayoutEffect } from 'preact/hooks';
import { closeTooltip } from '../charts/tooltip';
import { cancelOpening, dismissFailure, opening } from '../state/opening';
import { openRuns } from '../state/runs';
import { clearSelection, timeSelection } from '../state/selection';
import { toggleTheme } from '../state/theme';
import { view, views } from '../state/view';
import { isTyping } from '../views/common/isTyping';
import { helpShown } from './Help';
import { pickFiles } from './pickFiles';

/** The keys that hold in every view. Those of one view are its own. */
export function useKeyboard(): void {
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === 'Escape') return clearOneLevel();
      if (isTyping(event.target)) return;
      if (event.key === 'o' || event.key === 'O') pickFiles('files');
      else if (event.key === '.') toggleTheme();
      else if (event.key === '?') helpShown.value = true;
      else if (/^[1-9]$/.test(event.key) && openRuns.value.length > 0) {
        const target = views[Number(event.key) - 1];
        if (target) view.value = target.id;
      }
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, []);
}

function clearOneLevel(): void {
  if (helpShown.value) helpShown.value = false;
  else if (opening.value.kind === 'reading' || opening.value.kind === 'collecting') cancelOpening();
  else if (opening.value.kind === 'failed') dismissFailure();
  else if (closeTooltip()) return;
  else if (timeSelection.value) clearSelection();
}
