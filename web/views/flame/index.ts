import { marksOf, searchOf, treeOptions, wholeOf } from '../../state/callTree';
import { flame } from '../../state/flame';
import { prefetched } from '../../state/prefetch';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const flameView = defineView({
  id: 'flame',
  title: 'Flame graph',
  help: async () => (await import('./help')).keys,
  params: { flame },
  needs: { recording: true, runs: 1 },
  prefetch: (run, _, said) => {
    const shown = said(flame);
    const whole = wholeOf(treeOptions(shown));
    const search = searchOf(shown);
    prefetched(run, 'profiles');
    prefetched(run, 'flame', whole);
    if (search) prefetched(run, 'flame', marksOf(whole, search));
  },
  fills: true,
  load: later(async () => (await import('./FlameView')).FlameView),
});
