import { useLayoutEffect } from 'preact/hooks';
import { panned, type TimeAxis, zoomed } from '../../charts/timeAxis';
import { timeSelection } from '../../state/selection';
import { isTyping } from '../common/isTyping';

const zoomStep = 1.5;
const panShare = 0.2;

/** W and S zoom, A and D pan (by place on the keyboard), 0 shows the whole, Z the selection. */
export function useTimelineKeys(axis: TimeAxis): void {
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
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
