/** Every picture can be had as numbers and as a file, in every view. */
import { expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { views } from '../support/views';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

/**
 * In the page: opens the menu of every panel in turn; its title, what it is called, its entries,
 * and whether it draws.
 */
const menus = `(async () => {
  const until = async (holds) => {
    while (!holds()) await new Promise((done) => requestAnimationFrame(done));
  };
  const found = [];
  for (const button of document.querySelectorAll('main .panel-menu')) {
    const panel = button.closest('.panel') ?? document.querySelector('main');
    button.click();
    await until(() => document.querySelector('.menu:popover-open > *'));
    const entries = Array.from(document.querySelectorAll('.menu [data-testid]'), (entry) => entry.dataset.testid);
    const drawn = panel.querySelector('svg:not(.logo), canvas, table, .bar-rows, .activity-rows, [role=img]') !== null;
    found.push({ title: button.getAttribute('aria-label'), name: button.dataset.testid.slice(5), entries, drawn });
    button.click();
    await until(() => !document.querySelector('.menu:popover-open'));
  }
  return found;
})()`;

interface Menu {
  title: string;
  name: string;
  entries: string[];
  drawn: boolean;
}

it('every panel that draws has its table, CSV, SVG and PNG, under a name of its own', async () => {
  await driver.open(host.url);
  await driver.drop(['ab-before', 'ab-after', 'local-4x1'].map((name) => pathOf(name)));
  await driver.read('runs-table', 'local-4x1');
  for (const { id } of views) {
    await driver.evaluate(`location.hash = 'v=2&view=${id}'`);
    await driver.read(`[data-testid="view-${id}"] .panel-menu`, '•••');
    await settled(driver);
    const found = (await driver.evaluate(menus)) as Menu[];
    expect(
      new Set(found.map((menu) => menu.name)).size,
      `${id}: ${found.map((menu) => menu.name)}`,
    ).toBe(found.length);
    for (const { title, name, entries, drawn } of found) {
      const wanted = [...(drawn ? ['copy', 'csv'] : []), 'png', 'svg'].map(
        (entry) => `${entry}-${name}`,
      );
      expect(entries, `${id}, ${title}`).toEqual(expect.arrayContaining(wanted));
    }
  }
});
