import { asking } from './trust';

/** Another page wants to use this one: may it? */
export function TrustDialog() {
  const now = asking.value;
  if (!now) return null;
  return (
    <div class="dialog-back">
      <div
        class="dialog trust"
        role="alertdialog"
        aria-modal="true"
        aria-label="Allow another page"
        data-testid="trust"
      >
        <h2>
          May <b class="mono">{now.origin === 'null' ? 'a page without an address' : now.origin}</b> use this page?
        </h2>
        <p>
          It could then open runs here, and read the numbers of all runs that are open. Allow it only if you trust it;
          your answer holds until this window is closed.
        </p>
        <div class="failure-actions">
          <button
            type="button"
            class="button"
            data-testid="trust-no"
            ref={(button) => button?.focus()}
            onClick={() => now.answer(false)}
          >
            Refuse
          </button>
          <button type="button" class="button button-main" data-testid="trust-yes" onClick={() => now.answer(true)}>
            Allow
          </button>
        </div>
      </div>
    </div>
  );
}
