import { useLayoutEffect, useRef } from 'preact/hooks';

/** A `page` in the place of another ('') opens at its top; back there one is where one was. */
export function useOwnTop(page: string): void {
  const shown = useRef(page);
  const before = useRef(0);
  const main = document.querySelector('main');
  // as long as what was there still stands
  if (shown.current === '' && page !== '') before.current = main?.scrollTop ?? 0;
  useLayoutEffect(() => {
    if (page === shown.current) return;
    shown.current = page;
    const go = () => main?.scrollTo(0, page === '' ? before.current : 0);
    go();
    // charts take their height when they know their width
    const next = requestAnimationFrame(() => requestAnimationFrame(go));
    return () => cancelAnimationFrame(next);
  }, [page]);
}
