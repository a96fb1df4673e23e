import { useLayoutEffect } from 'preact/hooks';
import { embedded } from '../state/embed';
import { leaveFinding, stepFinding } from '../state/finding';
import { cancelOpening, dismissFailure, opening } from '../state/opening';
import { openRuns } from '../state/runs';
import { clearSelection, isFiltered } from '../state/selection';
import { toggleTheme } from '../state/theme';
import { view, views } from '../state/view';
import { closeTooltip } from '../ui/tooltip';
import { isDialogOpen } from '../views/common/Dialog';
import { isTyping } from '../views/common/isTyping';
import { helpShown } from './Help';
import { pickFiles } from './pickFiles';

/** The keys that hold in every view. Those of one view are its own. */
export function useKeyboard(): void {
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === 'Escape') return clearOneLevel();
      if (isTyping(event.target) || isDialogOpen()) return;
      const anyRun = openRuns.value.length > 0;
      if ((event.key === 'o' || event.key === 'O') && !(embedded.value && anyRun)) pickFiles('files');
      else if (event.key === '.') toggleTheme();
      else if (event.key === '?') helpShown.value = true;
      else if (event.key === '[' && anyRun) void stepFinding(-1);
      else if (event.key === ']' && anyRun) void stepFinding(1);
      else if (/^[1-9]$/.test(event.key) && anyRun) {
        const target = views[Number(event.key) - 1];
        if (target) view.value = target.id;
      }
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, []);
}

function clearOneLevel(): void {
  if (opening.value.kind === 'reading' || opening.value.kind === 'collecting') cancelOpening();
  else if (opening.value.kind === 'failed') dismissFailure();
  else if (closeTooltip()) return;
  else {
    // what a finding has selected goes with it
    leaveFinding();
    if (isFiltered.value) clearSelection();
  }
}
