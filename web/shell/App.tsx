import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listenToHost } from '../host/listen';
import { TrustDialog } from '../host/TrustDialog';
import { refreshPalette } from '../plot/palette';
import { embedded } from '../state/embed';
import { opening } from '../state/opening';
import { acceptedDamage, activeRun, activeRunId, openRuns } from '../state/runs';
import { theme } from '../state/theme';
import { view } from '../state/view';
import { OnTop } from '../ui/Popover';
import { closeTooltip, TooltipLayer } from '../ui/tooltip';
import { viewOf } from '../views/views';
import { DamageCard } from './DamageCard';
import { Failure } from './Failure';
import { FilterBar } from './FilterBar';
import { filtersShown } from './FilterButton';
import { FindingStrip } from './FindingStrip';
import { Header } from './Header';
import { Help } from './Help';
import { OpeningCard } from './OpeningCard';
import { PartialStrip } from './PartialStrip';
import { RecordDialog } from './RecordDialog';
import { ShareDialog } from './ShareDialog';
import { StartPage } from './StartPage';
import { StatusLine } from './StatusLine';
import { useFileDrop } from './useFileDrop';
import { useKeyboard } from './useKeyboard';
import { usePermalink } from './usePermalink';
import { ViewGuard } from './ViewGuard';

/** The page: header, filter bar, the view, status line. */
export function App() {
  const dragged = useFileDrop();
  useKeyboard();
  usePermalink();
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
  useEffect(listenToHost, []);
  const anyRun = openRuns.value.length > 0;
  return (
    <div class={embedded.value ? 'page page-embedded' : 'page'}>
      <Header />
      {anyRun && (!embedded.value || filtersShown.value) ? <FilterBar /> : <div />}
      <main class="content">
        {anyRun ? <Stage /> : <StartPage />}
        <OpeningCard />
      </main>
      <StatusLine />
      <Help />
      <RecordDialog />
      <ShareDialog />
      <TrustDialog />
      <TooltipLayer />
      {dragged ? (
        <OnTop className="drop-overlay" testId="drop-overlay">
          Drop to open{anyRun ? ' beside what is open' : ''}
        </OnTop>
      ) : null}
    </div>
  );
}

/** The view of the active run, with what has to be said before it. */
function Stage() {
  const run = activeRun.value;
  const View = viewOf(view.value);
  const hidden = run !== undefined && run.damage.length > 0 && !acceptedDamage.value.has(run.id);
  return (
    <div class="view" id="view" role="tabpanel" aria-labelledby={`tab-${view.value}`}>
      {opening.value.kind === 'failed' ? (
        <Failure what={opening.value.what} sentences={opening.value.sentences} />
      ) : null}
      {run && hidden ? (
        // one card at a time: what has just failed first
        opening.value.kind === 'failed' ? null : (
          <DamageCard run={run} />
        )
      ) : (
        <>
          <PartialStrip />
          <FindingStrip />
          <ViewGuard key={`${activeRunId.value} ${view.value}`}>
            <View />
          </ViewGuard>
        </>
      )}
    </div>
  );
}
