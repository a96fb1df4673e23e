import type { KeyGroup } from '../../state/view';

export const keys: KeyGroup = {
  title: 'Time tracks',
  keys: [
    ['drag', 'select a time range'],
    ['drag an edge', 'change the range'],
    ['wheel', 'pan when zoomed in'],
    ['Ctrl + wheel', 'zoom at the pointer'],
    ['W S', 'zoom in, out'],
    ['A D', 'pan'],
    ['← →', 'move the cursor (Shift: × 10)'],
    ['Z', 'zoom to the selection'],
    ['0', 'reset zoom'],
    ['Enter', 'pin the cursor; two pins measure'],
    ['Ctrl Z', 'undo the selection; with Shift redo'],
  ],
};
