import { ofTimelines } from '../../state/timelines';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const timelinesView = defineView({
  id: 'timelines',
  title: 'By worker',
  help: {
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
      ['0', 'the whole run'],
      ['Enter', 'pin the cursor; two pins measure'],
      ['Ctrl Z', 'undo the selection; with Shift redo'],
    ],
  },
  params: ofTimelines,
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./TimelinesView')).TimelinesView),
});
