import { marksOf, searchOf, treeOptions, wholeOf } from '../../state/callTree';
import { flame } from '../../state/flame';
import { prefetched } from '../../state/prefetch';
import { defineView } from '../../state/view';
import { later } from '../../ui/later';

export const flameView = defineView({
  id: 'flame',
  title: 'Flame graph',
  help: {
    title: 'Flame graph',
    keys: [
      ['/', 'search; Enter, Shift + Enter: next, previous hit'],
      ['N P', 'next, previous profile'],
      ['arrows', 'walk the boxes'],
      ['Enter', 'zoom to the box'],
      ['double click', 'the same'],
      ['drag', 'pan'],
      ['Ctrl + wheel', 'zoom at the pointer'],
      ['W S A D', 'zoom and pan'],
      ['+ −', 'zoom by two'],
      ['Z', 'fit the selected box'],
      ['F', 'only the selected function and what it calls'],
      ['E', 'all frames, or your functions with libraries folded'],
      ['R', 'collapse recursion'],
      ['right click', 'what can be done to a box'],
      ['0', 'the whole again'],
    ],
  },
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
  load: later(async () => (await import('./FlameView')).FlameView),
});
