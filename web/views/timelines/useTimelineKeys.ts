import { useLayoutEffect } from 'preact/hooks';
import { panned, type TimeAxis, zoomed } from '../../plot/timeAxis';
import { redoSelection, undoSelection } from '../../state/history';
import { pickedChunk } from '../../state/hoveredChunk';
import { select, selection, timeSelection } from '../../state/selection';
import { pinAt, unpin } from '../../state/timelines';
import { view } from '../../state/view';
import { closeTooltip, isTooltipPinned } from '../../ui/tooltip';
import { isTyping } from '../common/isTyping';

const zoomStep = 1.5;
const panShare = 0.2;

/**
 * W and S zoom, A and D pan (by place on the keyboard), 0 shows the whole, Z the selection; Enter pins the cursor or opens the
 * pinned chunk; Esc takes back one thing; Ctrl-Z and Ctrl-Shift-Z undo and redo the selection.
 */
export function useTimelineKeys(axis: TimeAxis): void {
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.altKey || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey) {
        const undo = event.code === 'KeyZ' && !event.shiftKey;
        const redo = event.code === 'KeyY' || (event.code === 'KeyZ' && event.shiftKey);
        if ((undo && undoSelection()) || (redo && redoSelection())) event.preventDefault();
        return;
      }
      if (takeBack(event) || open(event, axis)) {
        event.preventDefault();
        return;
      }
      const visible = axis.visible.peek();
      const extent = axis.extent.peek();
      const centre = axis.cursor.peek() ?? (visible[0] + visible[1]) / 2;
      const length = visible[1] - visible[0];
      if (event.code === 'KeyW') axis.visible.value = zoomed(visible, extent, centre, zoomStep);
      else if (event.code === 'KeyS') axis.visible.value = zoomed(visible, extent, centre, 1 / zoomStep);
      else if (event.code === 'KeyA') axis.visible.value = panned(visible, extent, -panShare * length);
      else if (event.code === 'KeyD') axis.visible.value = panned(visible, extent, panShare * length);
      else if (event.key === '0') axis.visible.value = extent;
      else if ((event.key === 'z' || event.key === 'Z') && timeSelection.value)
        axis.visible.value = timeSelection.value;
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, [axis]);
}

/** Esc: the pinned chunk first, then the last pin; what is selected is the page's matter. */
function takeBack(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape') return false;
  if (isTooltipPinned() || pickedChunk.peek() !== undefined) {
    closeTooltip();
    pickedChunk.value = undefined;
    return true;
  }
  return unpin();
}

/** Enter: a pinned chunk is shown among the chunks, otherwise the cursor is pinned. */
function open(event: KeyboardEvent, axis: TimeAxis): boolean {
  if (event.key !== 'Enter' || (event.target instanceof Element && event.target.closest('button, a, summary')))
    return false;
  const chunk = pickedChunk.peek();
  if (chunk !== undefined && isTooltipPinned()) {
    select({ ...selection.peek(), ranges: [{ column: 'chunk', lo: chunk, hi: chunk }] });
    view.value = 'chunks';
    return true;
  }
  const cursor = axis.cursor.peek();
  if (cursor === undefined) return false;
  pinAt(cursor);
  return true;
}
