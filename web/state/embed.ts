import { signal } from '@preact/signals';
import { parsePermalink } from './permalink';

/**
 * The page stands small in another page, which said so in the address (#embed): less chrome, nothing stored, no second way in.
 * Decided once, before anything is drawn.
 */
export const embedded = signal(typeof location !== 'undefined' && parsePermalink(location.hash).embed);

/** A frame without an origin of its own: downloads and storage are closed to it. */
export const sandboxed = typeof window !== 'undefined' && window.origin === 'null' && location.protocol !== 'file:';
