import { afterEach, describe, expect, it, vi } from 'vitest';
import { dispatchKeys, type Keys, type Layer, listen, ownKeys } from '../../web/ui/keys';

class Page {
  tagName = 'DIV';
  type = '';
  closest = () => null as unknown;
}
class Field extends Page {
  override tagName = 'TEXTAREA';
}
class Button extends Page {
  override closest = () => this as unknown;
}

// what the dispatcher asks of a document
vi.stubGlobal('Element', Page);
vi.stubGlobal('HTMLElement', Page);
vi.stubGlobal('HTMLInputElement', class {});

const stops: (() => void)[] = [];
const heard: string[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  heard.length = 0;
});

/** Hears `names` on `layer`, and takes them. */
function hear(layer: Layer, ...names: string[]): void {
  const keys: Keys = Object.fromEntries(
    names.map((name) => [name, () => heard.push(`${layer} ${name}`)]),
  );
  stops.push(listen(layer, { current: keys }));
}

interface Pressed {
  code?: string;
  altKey?: boolean;
  ctrlKey?: boolean;
  shiftKey?: boolean;
  target?: Page;
}

/** Presses a key on `target`; true when the page took it. */
function press(
  key: string,
  { code = '', target = new Page(), ...held }: Pressed = {},
  own?: Keys,
): boolean {
  let taken = false;
  const event = {
    key,
    code,
    target,
    ...held,
    preventDefault: () => {
      taken = true;
    },
    get defaultPrevented() {
      return taken;
    },
  } as unknown as KeyboardEvent;
  if (own) ownKeys(own)(event);
  dispatchKeys(event);
  return taken;
}

describe('keys', () => {
  it('end at the highest layer that takes them', () => {
    hear('page', 'Escape', 'o');
    hear('view', 'Escape');
    hear('menu', 'Escape');
    press('Escape');
    press('o');
    expect(heard).toEqual(['menu Escape', 'page o']);
  });

  it('do not reach what lies beneath a dialog', () => {
    hear('view', 'r', 'n', '0', 'KeyW', 'Escape');
    hear('page', 'Escape');
    hear('dialog', 'Escape');
    for (const key of ['R', 'N', '0', 'Escape']) press(key);
    press('w', { code: 'KeyW' });
    expect(heard).toEqual(['dialog Escape']);
  });

  it('go on where they are refused, and to who came last first', () => {
    hear('panel', 't');
    stops.push(listen('panel', { current: { t: () => false } }));
    expect(press('t')).toBe(true);
    expect(heard).toEqual(['panel t']);
  });

  it('come to what has the focus before all layers', () => {
    hear('view', 'ArrowLeft', 'Escape');
    press('ArrowLeft', {}, { ArrowLeft: () => heard.push('own') });
    press('Escape', {}, { ArrowLeft: () => heard.push('own') });
    expect(heard).toEqual(['own', 'view Escape']);
  });

  it('with Alt are the browser’s: Alt and ← goes back', () => {
    hear('view', 'ArrowLeft');
    expect(press('ArrowLeft', { altKey: true }, { ArrowLeft: () => heard.push('own') })).toBe(
      false,
    );
    expect(heard).toEqual([]);
  });

  it('are the text’s own while one writes, but for Escape', () => {
    hear('view', 'r', 'Enter', 'Escape', 'Ctrl+z');
    const target = new Field();
    press('r', { target });
    press('Enter', { target });
    press('z', { target, ctrlKey: true });
    press('Escape', { target });
    expect(heard).toEqual(['view Escape']);
  });

  it('press the button that has the focus', () => {
    hear('view', 'Enter');
    expect(press('Enter', { target: new Button() })).toBe(false);
    expect(press('Enter')).toBe(true);
  });

  it('are meant as they write, or by their place where the script has no Latin letters', () => {
    hear('view', 'Ctrl+z', 'Ctrl+Shift+z', 'Ctrl+y', 'KeyW', '[');
    press('z', { code: 'KeyY', ctrlKey: true }); // a German keyboard
    press('я', { code: 'KeyZ', ctrlKey: true }); // a Russian one
    press('Z', { code: 'KeyZ', ctrlKey: true, shiftKey: true });
    press('z', { code: 'KeyW' }); // a French one
    press('[', { code: 'BracketLeft' });
    expect(heard).toEqual([
      'view Ctrl+z',
      'view Ctrl+z',
      'view Ctrl+Shift+z',
      'view KeyW',
      'view [',
    ]);
  });
});
