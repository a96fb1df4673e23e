import { signal } from '@preact/signals';

/**
 * Who may speak to this page: the window around it or the one that opened it, and of these the ones
 * that come from where the page itself comes from or from this computer. Any other must be allowed
 * by the user, who is asked once.
 */

/** Who waits for the user's word. */
export const asking = signal<{ origin: string; answer: (allowed: boolean) => void } | undefined>(
  undefined,
);

const onThisComputer = /^https?:\/\/(localhost|[\w-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Whether messages from `origin` need no word of the user. `page` is where this page comes from.
 */
export function isTrusted(origin: string, page: Pick<Location, 'origin' | 'protocol'>): boolean {
  // a page made of text was made by the one around it, which can do with it what it likes
  if (page.protocol === 'about:') return true;
  // "null" is no origin, but the lack of one: any page from a disk or in a sandbox has it
  return (origin === page.origin && origin !== 'null') || onThisComputer.test(origin);
}

const key = 'crema.trusted';

function allowedInSession(): string[] {
  try {
    return (sessionStorage.getItem(key) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

function allowForSession(origin: string): void {
  // the lack of an origin is shared by all that lack one: it holds for that window alone
  if (origin === 'null') return;
  try {
    sessionStorage.setItem(key, [...allowedInSession(), origin].join(' '));
  } catch {
    // in a sandbox it holds as long as the page does
  }
}

/** What the user said, by window and its origin. */
const said = new WeakMap<object, Map<string, Promise<boolean>>>();

/** Whether a page from `origin` may speak without the user being asked (again). */
export const isKnown = (origin: string): boolean =>
  isTrusted(origin, location) || allowedInSession().includes(origin);

/** Whether `source`, a page from `origin`, may speak; asks the user where that is not known. */
export function mayJoin(source: object, origin: string): Promise<boolean> {
  if (isKnown(origin)) return Promise.resolve(true);
  const words = said.get(source) ?? new Map<string, Promise<boolean>>();
  said.set(source, words);
  const known = words.get(origin);
  if (known) return known;
  const word = new Promise<boolean>((answer) => {
    asking.value = { origin, answer };
  }).then((allowed) => {
    asking.value = undefined;
    if (allowed) allowForSession(origin);
    return allowed;
  });
  words.set(origin, word);
  return word;
}
