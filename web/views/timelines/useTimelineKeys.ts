import { panned, shared, type TimeAxis, within, zoomed } from '../../plot/timeAxis';
import { pickedChunk } from '../../state/hoveredChunk';
import { select, selection, timeSelection } from '../../state/selection';
import { pinAt, unpin } from '../../state/timelines';
import { redoSelection, undoSelection } from '../../state/undo';
import { view } from '../../state/view';
import { useKeys } from '../../ui/keys';
import { isTooltipPinned } from '../../ui/tooltip';

const zoomStep = 1.5;
const panShare = 0.2;

/**
 * W and S zoom, A and D pan (by place on the keyboard), 0 shows the whole, Z the selection; Enter
 * pins the cursor or opens the pinned chunk; Esc takes back the last pin; Ctrl-Z and Ctrl-Shift-Z
 * undo and redo the selection.
 */
export function useTimelineKeys(axis: TimeAxis): void {
  const zoom = (factor: number) => () => {
    const visible = axis.visible.peek();
    const centre = axis.cursor.peek() ?? (visible[0] + visible[1]) / 2;
    axis.visible.value = zoomed(visible, axis.extent.peek(), centre, factor);
  };
  const pan = (share: number) => () => {
    const visible = axis.visible.peek();
    axis.visible.value = panned(visible, axis.extent.peek(), share * (visible[1] - visible[0]));
  };
  useKeys('view', {
    KeyW: zoom(zoomStep),
    KeyS: zoom(1 / zoomStep),
    KeyA: pan(-panShare),
    KeyD: pan(panShare),
    '0': () => {
      axis.visible.value = axis.extent.peek();
    },
    z: () => {
      const extent = axis.extent.peek();
      const selected = timeSelection.peek();
      // a link may select more than the run, or nothing of it
      const seen = selected && shared(selected, extent);
      if (seen) axis.visible.value = within(seen, extent);
    },
    Enter: () => open(axis),
    // what is selected is the page's matter
    Escape: unpin,
    'Ctrl+z': undoSelection,
    'Ctrl+Shift+z': redoSelection,
    'Ctrl+y': redoSelection,
  });
}

/** A pinned chunk is shown among the chunks, otherwise the cursor is pinned. */
function open(axis: TimeAxis): boolean {
  const chunk = pickedChunk.peek();
  if (chunk !== undefined && isTooltipPinned()) {
    select({ ...selection.peek(), ranges: [{ column: 'chunk', lo: chunk, hi: chunk }] });
    view.value = 'compute';
    return true;
  }
  const cursor = axis.cursor.peek();
  if (cursor === undefined) return false;
  pinAt(cursor);
  return true;
}
