import { useEffect } from 'preact/hooks';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Dialog';
import { listenToHost } from './listen';
import { asking } from './trust';

/** The page around this one, or the one that opened it, as far as it may speak. */
export function Host() {
  useEffect(listenToHost, []);
  return <TrustDialog />;
}

/** Another page wants to use this one: may it? Who leaves without a word refuses. */
function TrustDialog() {
  const now = asking.value;
  if (!now) return null;
  const refuse = () => now.answer(false);
  return (
    <Sheet
      role="alertdialog"
      label="Allow another page"
      onLeave={refuse}
      className="trust"
      testId="trust"
    >
      <h2>
        May <b class="mono">{now.origin === 'null' ? 'a page without an address' : now.origin}</b>{' '}
        use this page?
      </h2>
      <p>
        It could then open runs here, and read the numbers of all runs that are open. Allow it only
        if you trust it; your answer holds until this window is closed.
      </p>
      <div class="failure-actions row">
        <Button data-testid="trust-no" onClick={refuse}>
          Refuse
        </Button>
        <Button class="button button-main" data-testid="trust-yes" onClick={() => now.answer(true)}>
          Allow
        </Button>
      </div>
    </Sheet>
  );
}
