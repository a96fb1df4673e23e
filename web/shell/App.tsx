import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refreshPalette } from '../plot/palette';
import { helpShown, recordShown, shareShown } from '../state/dialogs';
import { embedded } from '../state/embed';
import {
  currentFinding,
  filterToFinding,
  leaveFinding,
  openTab,
  stepFinding,
} from '../state/finding';
import { activeRun, activeRunId, openRuns } from '../state/runs';
import { clearSelection, isFiltered } from '../state/selection';
import { put } from '../state/setter';
import { theme, toggleTheme } from '../state/theme';
import { cancelOpening, dismissFailure, isUnderWay, opening } from '../state/underWay';
import { tabs, view, viewTitle } from '../state/view';
import { useKeys } from '../ui/keys';
import { OnTop } from '../ui/Popover';
import { closeTooltip, TooltipLayer } from '../ui/tooltip';
import { filtersShown } from './FilterButton';
import { arriving } from './followAddress';
import { Header } from './Header';
import { OpeningCard } from './OpeningCard';
import { FilterBar, Help, Host, RecordDialog, ShareDialog, Stage } from './parts';
import { pickFiles } from './pickFiles';
import { StartPage } from './StartPage';
import { StatusLine } from './StatusLine';
import { useFileDrop } from './useFileDrop';
import { ViewGuard } from './ViewGuard';

/** A page around this one, or the one that opened it. */
const hasHost = window.parent !== window || window.opener !== null;

/** The page: header, filter bar, the view, status line. */
export function App() {
  const dragged = useFileDrop();
  useKeyboard();
  // after the effect that marks the document with the theme
  useEffect(
    () =>
      effect(() => {
        theme.value;
        refreshPalette();
      }),
    [],
  );
  // what it belongs to is gone with the view, and says no more when the pointer leaves
  useEffect(() => {
    closeTooltip();
  }, [view.value, activeRunId.value]);
  const anyRun = openRuns.value.length > 0;
  const title = [activeRun.value?.title, viewTitle(view.value)].join(' · ');
  useEffect(() => {
    document.title = anyRun ? `${title} · Crema` : 'Crema';
  }, [anyRun, title]);
  return (
    <div class={embedded.value ? 'page page-embedded' : 'page'}>
      <Header />
      {anyRun && (!embedded.value || filtersShown.value) ? <FilterBar /> : <div />}
      <main class="content">
        {anyRun ? (
          <ViewGuard>
            <h1 class="visually-hidden">{title}</h1>
            <Stage />
          </ViewGuard>
        ) : arriving.value ? null : (
          <StartPage />
        )}
        <OpeningCard />
      </main>
      <StatusLine />
      {helpShown.value ? <Help /> : null}
      {recordShown.value ? <RecordDialog /> : null}
      {shareShown.value ? <ShareDialog /> : null}
      {hasHost ? <Host /> : null}
      <TooltipLayer />
      {dragged ? (
        <OnTop className="drop-overlay" testId="drop-overlay">
          Drop to open{anyRun ? ' beside the open runs' : ''}
        </OnTop>
      ) : null}
    </div>
  );
}

/** The keys that hold in every view. Those of one view are its own. */
function useKeyboard(): void {
  useKeys('page', { ...pageKeys, ...keysOfTabs() });
}

const withRuns = (act: () => void) => () => openRuns.value.length > 0 && act();

const pageKeys = {
  Escape: clearOneLevel,
  o: () => !(embedded.value && openRuns.value.length > 0) && pickFiles('files'),
  '.': toggleTheme,
  '?': put(helpShown, true),
  f: filterToFinding,
  '[': withRuns(() => void stepFinding(-1)),
  ']': withRuns(() => void stepFinding(1)),
};

const keysOfTabs = () =>
  Object.fromEntries(tabs.map(({ id }, index) => [String(index + 1), withRuns(() => openTab(id))]));

function clearOneLevel(): void {
  if (opening.value.kind === 'waiting' || isUnderWay.value) cancelOpening();
  else if (opening.value.kind === 'failed') dismissFailure();
  else if (currentFinding.value) leaveFinding();
  else if (isFiltered.value) clearSelection();
}
