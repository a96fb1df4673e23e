import { helpShown } from '../state/dialogs';
import { views } from '../state/view';
import { Dialog } from '../ui/Dialog';

const keyOfView = ({ key, title }: (typeof views)[number]): [string, string] => [
  key.toUpperCase(),
  title,
];

const groups: { title: string; keys: [string, string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['1 – 9', 'views'],
      ...views.filter(({ key }) => key > '9').map(keyOfView),
      ['← →', 'on the tabs: the view beside'],
      ['O', 'open files'],
      ['[ ]', 'previous, next finding'],
      ['T', 'the panel under the pointer as a table'],
      ['.', 'light or dark'],
      ['?', 'this help'],
      ['Esc', 'cancel, close, or clear the filter'],
    ],
  },
  {
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
  {
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
];

/** Keys, and what the page does with the data. */
export function Help() {
  return (
    <Dialog shown={helpShown} label="Help and keys" testId="help-dialog">
      <div class="key-groups">
        {groups.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl class="keys">
              {group.keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>
        Words with a dotted underline explain themselves on hover or focus: the formula, and the
        value stored in the bundle where ours differs; a click keeps the explanation. Hatched areas
        are idle or unknown. “Not recorded” means that the bundle does not hold it; zero is printed
        only where zero was measured.
      </p>
      <p>Crema reads everything inside this page. It sends nothing anywhere and sets no cookies.</p>
    </Dialog>
  );
}
