import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { useKeys } from './keys';

/** Whether the panel around it fills the page: a chart may then be taller. */
export const ExpandedContext = createContext(false);
export const useIsExpanded = (): boolean => useContext(ExpandedContext);

/** What stands above and below a panel's table when the panel fills the page [px]. */
const aroundTable = 170;

/**
 * How high a table may be: `usual` among other panels, as high as there is room where its panel
 * fills the page [px].
 */
export const useTableHeight = (usual: number): number =>
  useIsExpanded() ? Math.max(usual, window.innerHeight - aroundTable) : usual;

/** Lets `box` fill the content area, with the class `panel-expanded`, until Esc. */
export function useExpanded(box: RefObject<HTMLElement | null>): {
  expanded: boolean;
  toggle: () => void;
} {
  const [expanded, setExpanded] = useState(false);
  useLayoutEffect(() => {
    const panel = box.current;
    const content = panel?.closest('main');
    if (!expanded || !panel || !content) return;
    const scrolled = content.scrollTop;
    const place = () => {
      const { top, left, width, height } = content.getBoundingClientRect();
      Object.assign(panel.style, {
        top: `${top}px`,
        left: `${left}px`,
        width: `${width}px`,
        height: `${height}px`,
      });
    };
    place();
    const watch = new ResizeObserver(place);
    watch.observe(content);
    return () => {
      watch.disconnect();
      Object.assign(panel.style, { top: '', left: '', width: '', height: '' });
      // the page was shorter without it
      content.scrollTop = scrolled;
    };
  }, [expanded, box]);
  useKeys('panel', { Escape: () => setExpanded(false) }, expanded);
  return { expanded, toggle: () => setExpanded((old) => !old) };
}
