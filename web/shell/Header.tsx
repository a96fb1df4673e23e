import { helpShown, recordShown, shareShown } from '../state/dialogs';
import { embedded } from '../state/embed';
import { addressOf, here } from '../state/link';
import { openRuns } from '../state/runs';
import { put } from '../state/setter';
import { theme, toggleTheme } from '../state/theme';
import { Button } from '../ui/Button';
import { Menu } from '../ui/Menu';
import { MenuItem } from '../ui/MenuItem';
import { FilterButton } from './FilterButton';
import { RunHeader } from './parts';
import { pickFiles } from './pickFiles';

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

function RecordLink() {
  return (
    <Button class="link record-link" data-testid="how-to-record" onClick={put(recordShown, true)}>
      How to record a run
    </Button>
  );
}

function ShareButton() {
  return (
    <Button data-testid="share-button" onClick={put(shareShown, true)}>
      Share…
    </Button>
  );
}

/**
 * From a small frame to a page of its own, at the same place. Local files cannot be taken along:
 * there they are opened again.
 */
function FullPageLink() {
  const urls = here.value.urls?.map((url) => new URL(url, document.baseURI).href);
  const address = addressOf({ ...here.value, urls, embed: false });
  if (!address) return null;
  // served into a sandbox, as Jupyter does with files: it may open nothing, and what shows it has a
  // link of its own
  if (self.origin === 'null' && !address.startsWith('file:')) return null;
  return (
    <a class="button" href={address} target="_blank" rel="noopener" data-testid="full-page">
      Open full page ↗
    </a>
  );
}

/** Three layers of a pour over a cup's handle: the page's sign. */
function Logo() {
  return (
    <span class="logo">
      <svg width="22" height="18" viewBox="0 0 22 18" aria-hidden="true">
        <rect x="0" y="1" width="13" height="4" rx="1" fill="var(--ph-outside)" />
        <rect x="0" y="7" width="10" height="4" rx="1" fill="var(--ph-process)" />
        <rect x="0" y="13" width="6" height="4" rx="1" fill="var(--text-3)" />
        <path
          d="M14 3h3a3.5 3.5 0 0 1 0 7h-4"
          fill="none"
          stroke="var(--text-3)"
          stroke-width="1.6"
        />
      </svg>
      <span>Crema</span>
    </span>
  );
}

/** Theme and help. */
function HeaderButtons() {
  return (
    <>
      <Button
        class="button button-icon"
        data-testid="theme"
        aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        title="Light or dark (.)"
        onClick={toggleTheme}
      >
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <circle cx="7" cy="7" r="5.6" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="M7 1.4a5.6 5.6 0 0 0 0 11.2z" fill="currentColor" />
        </svg>
      </Button>
      <Button
        class="button button-icon"
        data-testid="help"
        aria-label="Help and keys"
        title="Help and keys (?)"
        onClick={put(helpShown, true)}
      >
        ?
      </Button>
    </>
  );
}

/** Opens more runs beside those that are open. */
function OpenMenu() {
  return (
    <Menu button="Open…" buttonTestId="open" align="right">
      {() => (
        <>
          <MenuItem onPress={() => pickFiles('files')}>
            Files or .zip… <kbd>O</kbd>
          </MenuItem>
          <MenuItem onPress={() => pickFiles('folder')}>Folder…</MenuItem>
          <p class="menu-item muted">or drop them anywhere on this page</p>
        </>
      )}
    </Menu>
  );
}
