import type { KeyGroup } from '../../state/view';

export const keys: KeyGroup = {
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
    ['right click', 'box menu'],
    ['0', 'reset zoom'],
  ],
};
