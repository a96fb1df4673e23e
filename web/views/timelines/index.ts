import { ofTimelines } from '../../state/timelines';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const timelinesView = defineView({
  id: 'timelines',
  title: 'Timelines',
  asks: 'A slow worker?',
  was: ['workers', 'Workers'],
  help: async () => (await import('./help')).keys,
  params: ofTimelines,
  needs: { recording: true, runs: 1 },
  load: later(async () => (await import('./TimelinesView')).TimelinesView),
});
