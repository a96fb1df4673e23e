/**
 * Keys, menus and dialogs: what is on top hears first, and what lies beneath a dialog does not hear
 * at all.
 */
import { describe, expect, it } from 'vitest';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { expectSoon, settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

async function open(sample: string, rest: string): Promise<void> {
  await driver.open(`${host.url}#url=${encodeURIComponent(`samples/${sample}.zip`)}&${rest}`);
  await driver.read('filter-counts', /chunks/);
  await settled(driver);
}

const focused = () =>
  driver.evaluate('document.activeElement?.dataset.testid ?? document.activeElement?.tagName');
/** Whether the focus is on something of the page beneath a dialog. */
const beneath = () =>
  driver.evaluate(`(() => {
    const at = document.activeElement;
    return at !== document.body && at.closest('dialog') === null;
  })()`);

describe('beneath a dialog', () => {
  it('no key of the flame graph acts, and Esc closes the dialog alone', async () => {
    await open('local-4x1', 'view=flame');
    await driver.read('icicle');
    await driver.point('icicle', 0.3, 0.2, 'click');
    await expectSoon(driver.address).toContain('selected');
    const before = await driver.address();
    await driver.key('?');
    await driver.read('help-dialog');
    for (const key of ['r', 'n', '0', 'w', 'f']) await driver.key(key);
    // the address follows within a third of a second
    await driver.evaluate('new Promise((done) => setTimeout(done, 600))');
    expect(await driver.address()).toBe(before);
    await driver.key('Escape');
    await driver.gone('help-dialog');
    await driver.evaluate('new Promise((done) => setTimeout(done, 600))');
    expect(await driver.address()).toBe(before);
    await driver.key('Escape');
    await expectSoon(driver.address).not.toContain('selected');
  });

  it('W does not zoom the Timelines', async () => {
    await open('local-4x1', 'view=timelines');
    await driver.key('?');
    await driver.read('help-dialog');
    await driver.key('w');
    await driver.key('Escape');
    await driver.gone('help-dialog');
    await driver.evaluate('new Promise((done) => setTimeout(done, 800))');
    expect(await driver.address()).not.toContain('z=');
    await driver.key('w');
    await expectSoon(driver.address).toContain('z=');
  });

  it('nothing gets the focus, and what had it has it again', async () => {
    await open('local-4x1', 'view=summary');
    await driver.click('share-button');
    await driver.read('share');
    for (let press = 0; press < 12; press += 1) {
      await driver.key('Tab');
      expect(await beneath()).toBe(false);
    }
    await driver.key('Escape');
    await driver.gone('share');
    expect(await focused()).toBe('share-button');
  });
});

describe('a menu', () => {
  it('is walked with the arrow keys, closed by Esc before anything else, and gives the focus back', async () => {
    await open('local-4x1', 'view=chunks&select=10:30');
    await driver.click('run-chip');
    await driver.read('run-menu', 'local-4x1');
    await driver.key('ArrowDown');
    await driver.key('Escape');
    await driver.gone('run-menu');
    expect(await focused()).toBe('run-chip');
    expect(await driver.address()).toContain('select=10:30');
    await driver.key('Escape');
    await expectSoon(driver.address).not.toContain('select');
  });

  it('is put away by a press elsewhere, and by another that opens', async () => {
    await open('local-4x1', 'view=summary');
    await driver.click('run-chip');
    await driver.read('run-menu');
    await driver.click('open');
    await driver.read('.menu:popover-open', 'Folder…');
    await driver.gone('run-menu');
    await driver.point('main.content', 0.5, 0.9, 'click');
    await driver.gone('.menu:popover-open');
  });

  it('lies within the window, however far down its button stands', async () => {
    await open('local-4x1', 'view=summary');
    await driver.resize(1000, 600);
    const found = await driver.evaluate(`(async () => {
      const outside = [];
      for (const button of document.querySelectorAll('main .panel-menu')) {
        button.scrollIntoView({ block: 'end' });
        button.click();
        await new Promise((done) => setTimeout(done, 60));
        const box = document.querySelector('.menu:popover-open').getBoundingClientRect();
        if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) outside.push(button.dataset.testid);
        button.click();
        await new Promise((done) => setTimeout(done, 30));
      }
      return outside;
    })()`);
    expect(found).toEqual([]);
  });
});

describe('Alt and ← leave a picture', () => {
  for (const [view, target] of [
    ['flame', 'icicle'],
    ['chunks', 'scatter'],
    ['chunks', 'distribution'],
  ] as const) {
    it(`that has the focus: ${target}`, async () => {
      await open('local-4x1', `view=${view}`);
      await driver.read(`[data-testid="${target}"]`);
      const taken = await driver.evaluate(`(() => {
        const event = (init) => new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true, ...init });
        const element = document.querySelector('[data-testid="${target}"]');
        return [{ altKey: true }, {}].map((init) => !element.dispatchEvent(event(init)));
      })()`);
      expect(taken).toEqual([false, true]);
    });
  }
});
