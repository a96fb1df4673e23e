import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refreshPalette } from '../plot/palette';
import { helpShown, recordShown, shareShown } from '../state/dialogs';
import { embedded } from '../state/embed';
import { activeRunId, openRuns } from '../state/runs';
import { theme } from '../state/theme';
import { view } from '../state/view';
import { OnTop } from '../ui/Popover';
import { closeTooltip, TooltipLayer } from '../ui/tooltip';
import { filtersShown } from './FilterButton';
import { arriving } from './followAddress';
import { Header } from './Header';
import { OpeningCard } from './OpeningCard';
import { FilterBar, Help, Host, RecordDialog, ShareDialog, Stage } from './parts';
import { StartPage } from './StartPage';
import { StatusLine } from './StatusLine';
import { useFileDrop } from './useFileDrop';
import { useKeyboard } from './useKeyboard';
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
  return (
    <div class={embedded.value ? 'page page-embedded' : 'page'}>
      <Header />
      {anyRun && (!embedded.value || filtersShown.value) ? <FilterBar /> : <div />}
      <main class="content">
        {anyRun ? (
          <ViewGuard>
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
