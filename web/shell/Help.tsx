import { useEffect, useState } from 'preact/hooks';
import { helpShown } from '../state/dialogs';
import { type KeyGroup, tabs, views } from '../state/view';
import { Dialog } from '../ui/Dialog';

const everywhere = (): KeyGroup => ({
  title: 'Everywhere',
  keys: [
    [`1 – ${tabs.length}`, 'tabs'],
    ['← →', 'previous, next tab'],
    ['O', 'open files'],
    ['[ ]', 'previous, next finding'],
    ['F', 'filter to what the followed finding is about'],
    ['T', 'the panel under the pointer as a table'],
    ['L', 'pause what follows a recording, or go on'],
    ['.', 'light or dark'],
    ['?', 'this help'],
    ['Esc', 'cancel, close, or clear the filter'],
  ],
});

/** Keys, and what the page does with the data. */
export function Help() {
  const [groups, setGroups] = useState([everywhere()]);
  useEffect(() => {
    const ofViews = views().flatMap(({ help }) => help?.() ?? []);
    Promise.all(ofViews).then(
      (all) => setGroups([everywhere(), ...all]),
      () => undefined,
    );
  }, []);
  return (
    <Dialog shown={helpShown} label="Help and keys" testId="help-dialog">
      <div class="key-groups">
        {groups.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl class="keys">
              {group.keys.map(([key, meaning]) => (
                <div key={key} class="small">
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd class="secondary">{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>
        Hover over a dotted term, or focus it, for its formula and the value stored in the bundle
        where ours differs; a click keeps the explanation. Hatched areas are idle or unknown. “Not
        recorded” means that the bundle does not hold it; zero is printed only where zero was
        measured.
      </p>
      <p>Crema reads everything inside this page. It sends nothing anywhere and sets no cookies.</p>
    </Dialog>
  );
}
