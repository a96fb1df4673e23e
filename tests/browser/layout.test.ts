/** Small windows, magnified pages and paper: nothing lies beyond the edge. */
import { beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../support/bundles';
import { views } from '../support/views';
import type { Driver } from './driver';
import { useScene } from './scene';
import type { Host } from './settings';
import { expectSoon, settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

async function open(view: string, theme = 'light'): Promise<void> {
  const url = encodeURIComponent('samples/before-after.zip');
  await driver.open(`${host.url}#url=${url}&view=${view}&theme=${theme}`);
  await driver.read('filter-counts', /chunks/);
  await settled(driver);
}

/** To another view of the runs that are open. */
async function turnTo(view: string): Promise<void> {
  await driver.evaluate(`location.hash = 'view=${view}'; 0`);
  await driver.read(`#view [data-testid="view-${view}"]`);
  await driver.read('#view .panel', /\S/);
  await settled(driver);
}

/**
 * What the page would scroll sideways for: elements that end beyond it, unless something before the
 * edge cuts or scrolls them.
 */
const beyond = () =>
  driver.evaluate(`(() => {
    const edge = document.documentElement.clientWidth + 1;
    const cuts = (element) => {
      for (let around = element.parentElement; around; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== 'visible' && around.getBoundingClientRect().right <= edge) return around.id !== 'app' && !around.matches('.content');
      return false;
    };
    const found = [...document.querySelectorAll('#app *')].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > edge && !cuts(element);
    });
    const wide = [document.scrollingElement, document.querySelector('.content')].filter((one) => one.scrollWidth > one.clientWidth);
    return [...found, ...wide].map((one) => one.tagName + '.' + (one.getAttribute('class') ?? ''));
  })()`);

/** 1440 by 900 at 200 % is 720 by 450 of the page's own pixels. */
const windows = [
  [720, 450],
  [600, 800],
] as const;

async function expectRoom(): Promise<void> {
  for (const [width, height] of windows) {
    await driver.resize(width, height);
    await settled(driver);
    // what follows its place does so a frame later
    await driver.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))',
    );
    await expectSoon(beyond, `${width} by ${height}`).toEqual([]);
  }
}

it('on a phone predictions have room beside their axis', async () => {
  await open('scaling');
  await driver.resize(390, 844);
  await driver.read('whatif-1', /\d/);
  const sideways = `(() => {
    const rows = document.querySelector('[data-testid="whatif"] .axis-rows');
    return rows.scrollWidth - rows.clientWidth;
  })()`;
  await expectSoon(() => driver.evaluate(sideways)).toBe(0);
});

it('on a phone a task type has its name on the line, and beside its numbers however far they scroll', async () => {
  await open('fine');
  await driver.resize(390, 844);
  await driver.read('fine-matrix', /all tasks/);
  const name = `(() => {
    const box = document.querySelector('[data-testid="fine-matrix"]').parentElement;
    box.scrollLeft = 10000;
    const { left, width, height } = box.querySelector('tbody .fine-name').getBoundingClientRect();
    return [box.scrollLeft > 0, Math.abs(left - box.getBoundingClientRect().left) < 1, width >= 100, height < 40];
  })()`;
  await expectSoon(() => driver.evaluate(name)).toEqual([true, true, true, true]);
});

describe('magnified to 200 %, and 600 px wide, there is room for', () => {
  beforeAll(() => open('summary'));
  it.each(views.map(({ id }) => id))('%s', async (id) => {
    await driver.resize(1440, 900);
    await turnTo(id);
    await expectRoom();
  });

  it('the start page', async () => {
    await driver.open(host.url);
    await driver.read('start');
    await expectRoom();
  });

  it('no element that is wider', async () => {
    await driver.evaluate('document.querySelector("main h1").style.width = "730px"; 0');
    await driver.resize(720, 450);
    await expectSoon(beyond).not.toEqual([]);
  });
});

/** Parts of panels that end beyond them, unless something within cuts or scrolls them. */
const beyondPanels = `[...document.querySelectorAll('.panel')].flatMap((panel) => {
  const edge = panel.getBoundingClientRect().right + 1;
  const isCut = (part) => {
    for (let around = part.parentElement; around && around !== panel.parentElement; around = around.parentElement)
      if (getComputedStyle(around).overflowX !== 'visible' && around.getBoundingClientRect().right <= edge) return true;
    return false;
  };
  return [...panel.querySelectorAll('*')]
    .filter((part) => part.getBoundingClientRect().width > 0 && part.getBoundingClientRect().right > edge && !isCut(part))
    .map((part) => panel.ariaLabel + ': ' + part.tagName + '.' + (part.getAttribute('class') ?? ''));
})`;

describe('on a phone, 390 px wide, nothing ends beyond its panel', () => {
  beforeAll(async () => {
    await open('summary');
    await driver.resize(390, 844);
  });
  it.each(views.map(({ id }) => id))('%s', async (id) => {
    await turnTo(id);
    await expectSoon(() => driver.evaluate(beyondPanels)).toEqual([]);
  });
});

describe('a window of 1440 px', () => {
  it('cuts no number of the tiles', async () => {
    await open('summary');
    await driver.resize(1440, 900);
    const cut = `[...document.querySelectorAll('.tile-value')]
      .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)`;
    await expectSoon(() => driver.evaluate(cut)).toEqual([]);
  });
});

/** Tables that have to be scrolled sideways. */
const cutTables = `[...document.querySelectorAll('#view :is(.table-box, .matrix-box)')]
  .filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.querySelector('table').ariaLabel ?? box.className)`;

describe('no column is cut', () => {
  it('in a window of 1440 px, of the branches and of what changed by section', async () => {
    await driver.resize(1440, 900);
    for (const [view, id] of [
      ['read', 'branch-table'],
      ['compare', 'matrix'],
    ] as const) {
      await open(view);
      await driver.read(id, /\d/);
      await expectSoon(() => driver.evaluate(cutTables), view).toEqual([]);
    }
  });

  it('nor a name of a phase: it is whole, or out of sight', async () => {
    await driver.resize(1440, 900);
    await open('timelines');
    await driver.read('phases', /steady/);
    const names = `[...document.querySelectorAll('.phase > span')].map((name) => {
      const [own, phase] = [name, name.parentElement].map((one) => one.getBoundingClientRect());
      return own.top >= phase.bottom ? 'away' : own.right <= phase.right + 0.5 ? 'whole' : name.innerText;
    })`;
    const shown = (await driver.evaluate(names)) as string[];
    expect(shown).toContain('whole');
    expect(shown.filter((one) => one !== 'whole' && one !== 'away')).toEqual([]);
  });

  it('in a window of 1000 px, of the factors of the efficiency', async () => {
    await driver.open(host.url);
    await driver.resize(1000, 600);
    await driver.drop(['scale-1', 'scale-2', 'scale-4'].map((name) => pathOf(name)));
    await driver.read('efficiency-table', /scale-4/);
    await expectSoon(() => driver.evaluate(cutTables)).toEqual([]);
  });
});

/** What stands in one line and ends beyond its box: names and values of filters, tiles' captions. */
const cutTexts = `[...document.querySelectorAll('.chip, .chip-main b, .tile-label, .tile-value, .tile-sub')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
  .map((one) => one.className + ': ' + one.innerText)`;

describe('under filters, no tile and no filter is cut', () => {
  it.each([
    [1440, 900],
    [1000, 600],
    [390, 844],
  ])('%d by %d', async (width, height) => {
    const url = encodeURIComponent('samples/local-4x1.zip');
    const filters = 'dataset=ttbar&select=10:30&range=duration:0.1:12.25';
    await driver.resize(width, height);
    await driver.open(`${host.url}#url=${url}&view=summary&${filters}`);
    await driver.read('filter-counts', /of 214 chunks/);
    await settled(driver);
    await expectSoon(() => driver.evaluate(cutTexts)).toEqual([]);
    await expectSoon(() => driver.evaluate(beyondPanels)).toEqual([]);
  });

  it('a chip that is too narrow for its text', async () => {
    await driver.evaluate("document.querySelector('.chip-on').style.maxWidth = '60px'; 0");
    await expectSoon(() => driver.evaluate(cutTexts)).not.toEqual([]);
  });
});

/** Pairs of the header's parts that share more than a pixel, and parts beyond the window. */
const headerOverlaps = `(() => {
  const parts = [...document.querySelectorAll('.logo svg, .run-chip, .tabs, .header-end > *')];
  const boxes = parts.map((part) => [part.innerText || part.className, part.getBoundingClientRect()]);
  const found = boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth).map(([name]) => name + ' is cut');
  boxes.forEach(([name, a], at) => {
    for (const [other, b] of boxes.slice(at + 1))
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        found.push(name + ' over ' + other);
  });
  return found;
})()`;

/** How far the tab of what is shown ends beyond the tabs' place [px]. */
const shownTabBeyond = `(() => {
  const place = document.querySelector('.tabs').getBoundingClientRect();
  const tab = document.querySelector('.tabs [aria-selected="true"]').getBoundingClientRect();
  return Math.max(place.left - tab.left, tab.right - place.right);
})()`;

describe('the header', () => {
  it.each([
    [1440, 900],
    [1000, 600],
    [720, 450],
    [390, 844],
  ])(
    'at %i by %i has its parts side by side, and the tab that is shown in sight',
    async (width, height) => {
      await open('recording');
      await driver.resize(width, height);
      await expectSoon(() => driver.evaluate(headerOverlaps)).toEqual([]);
      await expectSoon(() => driver.evaluate(shownTabBeyond)).toBeLessThanOrEqual(1);
    },
  );
});

describe('the files of a run', () => {
  it.each([1440, 1300, 1200, 1000, 390])('%i px wide, have their sizes in sight', async (width) => {
    await open('recording');
    await driver.resize(width, 900);
    const cut = `(() => {
      const table = document.querySelector('.sources .table-box');
      return [...table.querySelectorAll('td:last-child')].filter((cell) =>
        cell.getBoundingClientRect().right > table.getBoundingClientRect().right + 1 || cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText);
    })()`;
    await driver.read('sources', /metrics/);
    await expectSoon(() => driver.evaluate(cut)).toEqual([]);
  });
});

describe('the text on a bar', () => {
  it('has the ink of the theme that one changes to', async () => {
    await open('summary');
    await driver.resize(1440, 900);
    const inks = `[...document.querySelectorAll('.ct-row-1 .ct-box')]
      .filter((box) => box.textContent.startsWith('Inside'))
      .map((box) => getComputedStyle(box).color)`;
    // white on the light theme's blue is 5.2 : 1, on the dark theme's 3.2 : 1; near-black there 5.7 : 1
    await expectSoon(() => driver.evaluate(inks)).toEqual(['rgb(255, 255, 255)']);
    await driver.click('theme');
    await expectSoon(() => driver.evaluate(inks)).toEqual(['rgb(0, 0, 0)']);
  });
});

describe('a tooltip', () => {
  it.each([
    [
      'the wheel',
      () =>
        driver.evaluate(
          'document.activeElement.dispatchEvent(new WheelEvent("wheel", { bubbles: true })); 0',
        ),
    ],
    ['a key', () => driver.key('t')],
  ])('goes with %s', async (_, act) => {
    await open('chunks');
    await driver.resize(1440, 900);
    await driver.read('.sort-button .explained');
    await driver.evaluate('document.querySelector(".sort-button:has(.explained)").focus(); 0');
    await driver.read('tooltip');
    await act();
    await driver.gone('tooltip');
  });
});

describe('a word that is explained', () => {
  it('has its line below it in every engine', async () => {
    await open('summary');
    await driver.read('.explained');
    const line = 'getComputedStyle(document.querySelector(".explained")).textDecorationLine';
    expect(await driver.evaluate(line)).toBe('underline');
  });
});

describe('paper', () => {
  const print = (event: string) => driver.evaluate(`dispatchEvent(new Event('${event}')); 0`);

  it('takes each view in light colours, as wide as A4 between its margins, and leaves the screen as it was', async () => {
    for (const view of ['summary', 'timelines', 'flame']) {
      await open(view, 'dark');
      const width = 'document.querySelector("main canvas")?.getBoundingClientRect().width';
      const shown = await driver.evaluate(width);
      await print('beforeprint');
      const facts = await driver.evaluate(`(() => {
        const page = document.querySelector('.page');
        const edge = page.getBoundingClientRect().right + 1;
        const out = [...page.querySelectorAll('main :is(svg, canvas, table, .panel)')].filter((one) => one.getBoundingClientRect().right > edge);
        return [page.offsetWidth, document.documentElement.dataset.theme, out.length,
          getComputedStyle(document.querySelector('.header-end')).display, getComputedStyle(document.querySelector('.content')).overflow];
      })()`);
      expect(facts).toEqual([718, 'light', 0, 'none', 'visible']);
      await print('afterprint');
      await driver.read('html[data-theme="dark"]:not([data-print])');
      await expectSoon(() => driver.evaluate(width)).toBe(shown);
    }
  });
});
