import type { ComponentType, FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** A component whose code comes when it is first wanted. */
export interface Later<P extends object> extends FunctionComponent<P> {
  /** Has it come before it is wanted: then it is drawn at once. */
  fetch: () => Promise<void>;
}

/** A part of the page whose code did not come. */
export class NotFetched extends Error {
  override message = 'Its code could not be fetched. Check the connection, then open it again.';
}

/** All of them, as they come to be known. */
const parts: Pick<Later<object>, 'fetch'>[] = [];

/** What cannot be had is thrown where it would be drawn; drawn anew, it is asked for again. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let loaded: ComponentType<P> | undefined;
  let coming: Promise<void> | undefined;
  const fetch = (): Promise<void> => {
    coming ??= load().then(
      (component) => {
        loaded = component;
      },
      (problem: unknown) => {
        coming = undefined;
        throw problem;
      },
    );
    return coming;
  };
  function Shown(props: P) {
    const [came, setCame] = useState<'' | 'whole' | Error>('');
    useLayoutEffect(() => {
      if (loaded) return;
      fetch().then(
        () => setCame('whole'),
        () => setCame(new NotFetched()),
      );
    }, []);
    if (came instanceof Error) throw came;
    const Component = loaded;
    return Component ? <Component {...props} /> : <div aria-busy="true" />;
  }
  parts.push({ fetch });
  return Object.assign(Shown, { fetch });
}

/** Whoever has just opened something looks at it first, and the processor draws it [ms]. */
const firstLook = 1000;

/**
 * Fetches all there is one after the other, each when the page has nothing else to do, and not while
 * it `isBusy` or has just been.
 */
export async function fetchAtRest(isBusy: () => boolean): Promise<void> {
  // what is fetched may have parts of its own
  for (const { fetch } of parts) {
    while (isBusy()) await new Promise((later) => setTimeout(later, firstLook));
    await new Promise<unknown>((rest) => {
      // WebKit has no such callback
      if ('requestIdleCallback' in window) requestIdleCallback(rest, { timeout: 2000 });
      else setTimeout(rest, 50);
    });
    // whoever wants it will be told
    await fetch().catch(() => undefined);
  }
}
