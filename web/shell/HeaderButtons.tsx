import { helpShown } from '../state/dialogs';
import { theme, toggleTheme } from '../state/theme';
import { Button } from '../ui/Button';

/** Theme and help. */
export function HeaderButtons() {
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
        onClick={() => {
          helpShown.value = true;
        }}
      >
        ?
      </Button>
    </>
  );
}
