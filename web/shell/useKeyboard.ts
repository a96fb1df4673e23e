import { helpShown } from '../state/dialogs';
import { embedded } from '../state/embed';
import { currentFinding, filterToFinding, leaveFinding, stepFinding } from '../state/finding';
import { cancelOpening, dismissFailure, isUnderWay, opening } from '../state/opening';
import { openRuns } from '../state/runs';
import { clearSelection, isFiltered } from '../state/selection';
import { toggleTheme } from '../state/theme';
import { tabs, view } from '../state/view';
import { useKeys } from '../ui/keys';
import { pickFiles } from './pickFiles';

/** The keys that hold in every view. Those of one view are its own. */
export function useKeyboard(): void {
  useKeys('page', { ...pageKeys, ...keysOfTabs() });
}

const withRuns = (act: () => void) => () => openRuns.value.length > 0 && act();

const pageKeys = {
  Escape: clearOneLevel,
  o: () => !(embedded.value && openRuns.value.length > 0) && pickFiles('files'),
  '.': toggleTheme,
  '?': () => {
    helpShown.value = true;
  },
  f: filterToFinding,
  '[': withRuns(() => void stepFinding(-1)),
  ']': withRuns(() => void stepFinding(1)),
};

const keysOfTabs = () =>
  Object.fromEntries(
    tabs.map(({ id }, index) => [
      String(index + 1),
      withRuns(() => {
        view.value = id;
      }),
    ]),
  );

function clearOneLevel(): void {
  if (opening.value.kind === 'waiting' || isUnderWay.value) cancelOpening();
  else if (opening.value.kind === 'failed') dismissFailure();
  else if (currentFinding.value) leaveFinding();
  else if (isFiltered.value) clearSelection();
}
