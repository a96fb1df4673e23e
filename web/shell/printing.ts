import { drawAtOnce } from '../plot/frames';
import { theme } from '../state/theme';

/**
 * Lays the page out for paper (styles/print.css) in light colours before it is printed, and back
 * again. All of it happens before the event is over: browsers then take the page as it is, without
 * another frame. Charts measure themselves anew (useSize), after this.
 */
export function prepareForPrint(): void {
  const page = document.documentElement;
  let shown = theme.value;
  window.addEventListener('beforeprint', () => {
    shown = theme.value;
    drawAtOnce(true);
    page.dataset.print = '';
    theme.value = 'light';
  });
  window.addEventListener('afterprint', () => {
    delete page.dataset.print;
    theme.value = shown;
    drawAtOnce(false);
  });
}
