/** Flame graphs: what a user does with one. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { expectSoon, settled } from './soon';

let host: Host;
let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

/** [CSS px] */
const heightOf = async (target: string): Promise<number> =>
  Number(
    await driver.evaluate(
      `document.querySelector('[data-testid=${target}]').getBoundingClientRect().height`,
    ),
  );

/** Waits until the whole is drawn, what stands beneath it as well: until then its rows may move. */
async function drawn(): Promise<void> {
  await driver.read('flame-total', '14,343 samples');
  await driver.click('flame-mode-icicle');
  await settled(driver);
}

describe('a flame graph', () => {
  it('says how much of a function was on a CPU, where the recorder looked', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('rows')]);
    await driver.click('tab-flame');
    await driver.click('flame-mode-icicle');
    await driver.type('flame-search', 'wait_for_lock');
    await driver.read('flame-matched', /^1 · /);
    await driver.key('Enter');
    await driver.read('flame-on-cpu', '0.2 %'); // it waits for the lock
  });

  it('is searched, narrowed step by step, undone, and comes back by its link', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await drawn();

    await driver.type('flame-search', 'numpy');
    await driver.read('flame-matched', /^[\d,]+ · [\d.]+ %$/);
    await driver.click('flame-regex');
    await driver.type('flame-search', '^dimuon_candidates$');
    await driver.read('flame-matched', '2 · 21.8 %');

    await driver.click('flame-transform');
    await driver.type(
      'flame-pattern',
      'function=dimuon_candidates@/home/user/analysis/zprime_analysis.py:78',
    );
    await driver.click('flame-focus-frames');
    await driver.read('flame-total', /^3,12\d samples/);
    await driver.read('flame-step', 'Focus dimuon_candidates');
    const link = async () => decodeURIComponent(await driver.address());
    await expectSoon(link).toContain('focus:function=dimuon_candidates');
    await driver.click('[data-testid="flame-step"] button');
    await driver.read('flame-total', '14,343 samples');
  });

  it('does on each key what the help says', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await drawn();
    await driver.key('n');
    await driver.read('flame-total', /^(?!14,343)[\d,]+ samples/);
    await driver.key('p');
    await driver.read('flame-total', '14,343 samples');

    const zoomed = '[data-testid="flame-reset"]:not([disabled])';
    for (const key of ['w', '=']) {
      await driver.key(key);
      await driver.read(zoomed, 'Reset zoom');
      await driver.key('0');
      await driver.gone(zoomed);
    }
    await driver.key('w');
    await driver.key('w');
    await driver.read(zoomed, 'Reset zoom');
    const middle = await driver.read('flame-axis');
    await driver.key('a');
    await driver.read('flame-axis', new RegExp(`^(?!${middle.slice(0, 6)})`));
    await driver.key('d');
    await driver.read('flame-axis', middle);
    await driver.key('s');
    await driver.key('s');
    await driver.gone(zoomed);

    await settled(driver);
    // the fourth row: _work_function, then its widest callee
    await driver.point('icicle', 0.3, 4.5 * (22 / (await heightOf('icicle'))), 'click');
    await driver.read('flame-details', /^_work_function coffea/);
    await driver.key('ArrowDown');
    await driver.read('flame-details', /^wrapper/);
    const spoken = `document.querySelector('[data-testid=flame-report]').textContent`;
    await expectSoon(() => driver.evaluate(spoken)).toMatch(/^wrapper, .*\d\s%/);
    await driver.key('z');
    await driver.read(zoomed, 'Reset zoom');
    await driver.key('f');
    await driver.read('flame-step', 'Focus wrapper');
    await driver.key('Escape');
    await driver.key('r');
    await driver.read('.transform-bar', /Focus wrapper[\s\S]*Recursion collapsed/);
    await driver.key('/');
    await expectSoon(() => driver.evaluate('document.activeElement.dataset.testid')).toBe(
      'flame-search',
    );
  });

  it('is not moved by a pointer whose gesture the browser has taken over', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1', 'dask_profiles.json.gz')]);
    await drawn();
    await driver.key('w');
    await driver.read('[data-testid="flame-reset"]:not([disabled])');
    await settled(driver);
    const before = await driver.read('flame-axis');
    await driver.evaluate(`(() => {
      const icicle = document.querySelector('[data-testid=icicle]');
      const { left, top } = icicle.getBoundingClientRect();
      const send = (type, x) => icicle.dispatchEvent(new PointerEvent(type,
        { pointerId: 1, button: 0, buttons: 1, clientX: left + x, clientY: top + 10, bubbles: true }));
      icicle.setPointerCapture = () => 0;
      send('pointerdown', 300);
      send('pointercancel', 300);
      send('pointermove', 100);
      return 0;
    })()`);
    await settled(driver);
    expect(await driver.read('flame-axis')).toBe(before);
  });

  it('leaves Alt with an arrow to the browser, whose Back it is', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1', 'dask_profiles.json.gz')]);
    await drawn();
    const left = (alt: boolean) =>
      driver.evaluate(`document.querySelector('[data-testid=icicle]').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: ${alt}, bubbles: true, cancelable: true }))`);
    expect(await left(false)).toBe(false);
    expect(await left(true)).toBe(true);
  });

  it('says on hover what a box took, and finds hits one by one', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await drawn();
    await driver.point('icicle', 0.3, 4.5 * (22 / (await heightOf('icicle'))));
    const told = await driver.read('tooltip', '_work_function · coffea');
    // place, line, share, time, self
    expect(told).toMatch(
      /coffea\/processor\/executor\.py:1620 factory = .* 99\.1 % · 2\d\d core-s .*Self .*of parent [\d.]+ %/,
    );
    await driver.type('flame-search', 'dimuon_candidates');
    await driver.read('flame-matched', '2 · 21.8 %');
    await driver.key('Enter');
    const first = await driver.read('flame-box-total');
    await driver.key('Enter');
    await driver.read('flame-box-total', new RegExp(`^(?!${first})`));
    await driver.key('Shift+Enter');
    await driver.read('flame-box-total', first);
  });

  it('has runs of library frames as one box, opened by a click, and a menu on each box', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await driver.read('flame-total', '14,343 samples');
    await settled(driver);
    const deep = async () =>
      Number(/([\d,]+) deep/.exec(await driver.attribute('icicle', 'aria-label'))?.[1]);
    const folded = await deep();
    const row = (at: number, share: number, act?: 'click') =>
      heightOf('icicle').then((height) =>
        driver.point('icicle', share, (at + 0.5) * (22 / height), act),
      );
    // dask, coffea, roastcoffea, then process() itself
    await row(4, 0.3);
    await driver.read('tooltip', /^process · your analysis/);
    await row(2, 0.3);
    await driver.read('tooltip', /^coffea · coffea/);
    await row(2, 0.3, 'click');
    await driver.read('flame-opened', 'coffea open');
    await expectSoon(deep).toBeGreaterThan(folded);
    await driver.click('[data-testid="flame-opened"] button');
    await expectSoon(deep).toBe(folded);

    await settled(driver);
    await driver.evaluate(`(() => {
      const at = document.querySelector('[data-testid=icicle]');
      const { left, top } = at.getBoundingClientRect();
      const place = { clientX: left + 99, clientY: top + 4.5 * 22, bubbles: true, cancelable: true };
      at.dispatchEvent(new MouseEvent('contextmenu', place));
    })()`);
    await driver.read('flame-menu', /^process.*Callers, callees.*Drop/);
    await driver.click('flame-menu-focus');
    await driver.read('flame-step', 'Focus process');
    // what is folded is found among all frames
    await driver.type('flame-search', 'array_equal');
    await driver.click('flame-search-all');
    await driver.read('flame-matched', /^[\d,]+ · [\d.]+ %$/);
  });

  it('folds what has a colour by its entry in the legend, and brings it back', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await drawn();
    const boxes = async () =>
      Number(
        /([\d,]+) boxes/
          .exec(await driver.attribute('icicle', 'aria-label'))?.[1]
          ?.replace(',', ''),
      );
    const all = await boxes();
    // the third entry: awkward
    await driver.click('.legend li:nth-child(3) button');
    await driver.read('flame-step', /awkward/);
    await expectSoon(boxes).toBeLessThan(all);
    await driver.click('.legend-off button');
    await driver.gone('flame-step');
    await expectSoon(boxes).toBe(all);
  });

  it('is read in a table, a sandwich, a tree and by worker', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1')]);
    await driver.click('tab-flame');
    await driver.read('flame-total', '14,343 samples');
    await driver.click('flame-mode-functions');
    // your own functions come first
    await driver.read('[data-testid="function-table"] tbody tr.row-button', /zprime_analysis/);
    await driver.click('[data-testid="function-table"] tbody tr.row-button td');
    await driver.read('sandwich', /Callers of [\s\S]*Callees of/);
    await driver.click('flame-mode-tree');
    await driver.read('flame-tree', /process/);
    await driver.click('flame-mode-workers');
    await driver.read('flame-workers', /Difference/);
  });

  it('leaves as SVG, folded stacks and functions without anybody’s folders', async () => {
    await driver.open(host.url);
    await driver.drop([pathOf('local-4x1', 'dask_profiles.json.gz')]);
    await drawn();
    await driver.click('export');
    await driver.click('export-hide-paths');
    const svg = await driver.save('export-svg');
    expect(svg.name).toMatch(/\.svg$/);
    const picture = new TextDecoder().decode(svg.content);
    expect(picture).toContain('dimuon_candidates (zprime_analysis.py:78)');
    expect(picture).not.toContain('/home/');
    for (const entry of ['export-folded', 'export-functions'] as const) {
      await driver.click('export');
      const { content } = await driver.save(entry);
      const text = new TextDecoder().decode(content);
      expect(text).toContain('dimuon_candidates');
      expect(text).not.toContain('/home/');
    }
  });

  it('shows a profile of another tool in the order of time', async () => {
    const file = join(folder, 'run.speedscope.json');
    const frames = [{ name: 'main' }, { name: 'read', file: 'io.py', line: 3 }, { name: 'sum' }];
    const events = [
      { type: 'O', frame: 0, at: 0 },
      { type: 'O', frame: 1, at: 1 },
      { type: 'C', frame: 1, at: 3 },
      { type: 'O', frame: 2, at: 3 },
      { type: 'C', frame: 2, at: 4 },
      { type: 'O', frame: 1, at: 4 },
      { type: 'C', frame: 1, at: 8 },
      { type: 'C', frame: 0, at: 8 },
    ];
    await writeFile(
      file,
      JSON.stringify({
        $schema: 'https://www.speedscope.app/file-format-schema.json',
        shared: { frames },
        profiles: ['thread 1', 'thread 2'].map((name) => ({
          ...{ type: 'evented', name, unit: 'seconds', startValue: 0, endValue: 8, events },
        })),
      }),
    );
    await driver.open(host.url);
    await driver.drop([file]);
    // both together have no order; the first alone has
    await driver.read('flame-total', '16.0 s');
    await driver.click('flame-mode-time');
    await driver.read('profile-select', 'thread 1');
    await driver.read('flame-total', '8.00 s');
    await driver.read('flame-axis', /^0 s.*8\.00 s$/);
    await expectSoon(() => driver.attribute('icicle', 'aria-label')).toContain('5 boxes');
    await driver.click('flame-mode-icicle');
    await expectSoon(() => driver.attribute('icicle', 'aria-label')).toContain('4 boxes');

    // the middle alone, and its own sum
    await driver.click('flame-mode-time');
    await driver.read('flame-axis', /^0 s.*8\.00 s$/);
    await driver.key('=');
    await driver.click('flame-transform');
    await driver.read('flame-keep-time', '2.00 s – 6.00 s');
    await driver.click('flame-keep-time');
    await driver.read('flame-step', 'Time 2.00 s – 6.00 s');
    await driver.read('flame-total', '4.00 s');
    await driver.read('flame-axis', /^2\.00 s.*6\.00 s$/);
    await driver.click('flame-mode-icicle');
    await driver.read('flame-axis', '= 4.00 s');
  });
});
