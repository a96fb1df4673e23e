import { useEffect } from 'preact/hooks';
import { listenToHost } from './listen';
import { TrustDialog } from './TrustDialog';

/** The page around this one, or the one that opened it, as far as it may speak. */
export function Host() {
  useEffect(listenToHost, []);
  return <TrustDialog />;
}
