import { signal } from '@preact/signals';
import { enclosed } from './enclosed';

/**
 * The page stands small in another page, which said so in the address (#embed), or in a report
 * which says so itself: less chrome, nothing stored, no second way in. Decided once, before
 * anything is drawn.
 */
export const embedded = signal(
  [typeof location === 'undefined' ? '' : location.hash, enclosed?.hash ?? ''].some((hash) =>
    new URLSearchParams(hash.slice(1)).has('embed'),
  ),
);

/** A frame without an origin of its own: downloads and storage are closed to it. */
export const sandboxed =
  typeof window !== 'undefined' && window.origin === 'null' && location.protocol !== 'file:';
