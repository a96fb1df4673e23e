import { embedded } from '../state/embed';
import { openRuns } from '../state/runs';
import { FilterButton } from './FilterButton';
import { FullPageLink } from './FullPageLink';
import { HeaderButtons } from './HeaderButtons';
import { Logo } from './Logo';
import { OpenMenu } from './OpenMenu';
import { RunHeader } from './parts';
import { RecordLink } from './RecordLink';
import { ShareButton } from './ShareButton';

/** The topmost row: what is open, which view, how to open more. */
export function Header() {
  const anyRun = openRuns.value.length > 0;
  return (
    <header class="header">
      <Logo />
      {anyRun ? <RunHeader /> : null}
      <div class="header-end">
        {embedded.value && anyRun ? (
          <>
            <FilterButton />
            <FullPageLink />
          </>
        ) : (
          <>
            {anyRun ? <OpenMenu /> : <RecordLink />}
            {anyRun ? <ShareButton /> : null}
            <HeaderButtons />
          </>
        )}
      </div>
    </header>
  );
}
