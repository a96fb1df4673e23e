/** The address and the state: a link says what is on screen, and only that. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Driver } from './driver';
import { useScene } from './scene';
import { dist, readableByAll, serve } from './serve';
import type { Host } from './settings';
import { expectSoon, settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

const sample = (name: string) => `url=${encodeURIComponent(`samples/${name}.zip`)}`;

const follow = (hash: string) => driver.evaluate(`location.hash = ${JSON.stringify(hash)}; 0`);

describe('a link', () => {
  it('names what is open: a run that was closed is gone from it, and can be opened again', async () => {
    await driver.open(`${host.url}#${sample('local-4x1')}&view=chunks`);
    await driver.read('view-compute');
    await driver.click('run-chip');
    await driver.click('.menu-close');
    await driver.read('start');
    await expectSoon(driver.address).not.toContain('local-4x1');
    await follow(`${sample('local-4x1')}&view=timelines`);
    await driver.read('view-timelines');
  });

  it('that was followed while another’s files were on their way holds alone', async () => {
    const held: ServerResponse[] = [];
    const slow = createServer((_, response) => held.push(response));
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
    const { port } = slow.address() as AddressInfo;
    try {
      const late = encodeURIComponent(`http://127.0.0.1:${port}/late.zip`);
      await driver.open(`${host.url}#url=${late}&view=chunks&dataset=nowhere&processor=none`);
      await expectSoon(async () => held.length).toBeGreaterThan(0);
      await follow(sample('local-4x1'));
      await driver.read('view-summary');
      await driver.read('tile-elapsed', '1 min');
      await expectSoon(driver.address).toContain('view=summary');
      for (const gone of ['late.zip', 'dataset', 'processor'])
        expect(await driver.address()).not.toContain(gone);
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });

  it('opens a run behind a login: the page’s own server learns who asks, and no other', async () => {
    const own = await serve({ folder: dist, cookie: 'session=secret' });
    const other = await serve({ folder: dist, cookie: 'session=secret', headers: readableByAll });
    try {
      await driver.open(`${own.url}#${sample('local-4x1')}`);
      await driver.read('tile-elapsed', '1 min');
      const foreign = encodeURIComponent(`${other.url}samples/local-4x1.zip`);
      await driver.open(`${own.url}?again#url=${foreign}`);
      await driver.read('error', 'the server sends a web page, not data');
    } finally {
      await own.close();
      await other.close();
    }
  });

  it('of a finding keeps the run that it is about', async () => {
    await driver.open(`${host.url}#${sample('before-after')}&view=summary&run=1&theme=dark`);
    await driver.read('finding-link-0');
    for (const part of ['run=1', 'theme=dark', 'before-after']) {
      expect(await driver.attribute('finding-link-0', 'href')).toContain(part);
    }
  });

  it('is what is shared, at once', async () => {
    await driver.open(`${host.url}#${sample('local-4x1')}&view=flame`);
    await driver.read('icicle');
    await driver.type('flame-search', 'numpy');
    await driver.click('share-button');
    await driver.read('share', 'numpy');
  });

  it('is only a part where the page has no address', async () => {
    const message = {
      name: 'sent',
      files: [{ path: 'stacks.folded', data: 'main;work 3\nmain 1\n' }],
    };
    const around = `<!doctype html><link rel="icon" href="data:,"><iframe id="made" width="1200" height="700"></iframe><script>
      const frame = document.getElementById('made');
      const send = (message) => frame.contentWindow.postMessage(message, '*');
      fetch('crema.html').then(async (answer) => { frame.srcdoc = await answer.text(); });
      const pinging = setInterval(() => send({ type: 'crema:ping' }), 100);
      addEventListener('message', ({ data }) => {
        if (data.type !== 'crema:pong') return;
        clearInterval(pinging);
        send({ type: 'crema:open', ...${JSON.stringify(message)} });
      }, { once: true });
    </script>`;
    const site = await serve({ folder: dist, pages: { '/around.html': around } });
    try {
      await driver.open(`${site.url}around.html`);
      await driver.within('#made');
      await driver.click('share-button');
      const said = await driver.read('share', 'This frame has no address of its own');
      expect(said).toContain('#v=2&');
      expect(said).not.toContain('about:');
    } finally {
      await site.close();
    }
  });
});

describe('what is dragged', () => {
  it('is opened when it is files; text goes into fields', async () => {
    await driver.open(`${host.url}#${sample('local-4x1')}&view=chunks`);
    await driver.read('chunk-search');
    const prevented = await driver.evaluate(`(() => {
      const drop = (type, fill) => {
        const dataTransfer = new DataTransfer();
        fill(dataTransfer);
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        return !document.querySelector('[data-testid="chunk-search"]').dispatchEvent(event);
      };
      const text = (transfer) => transfer.setData('text/plain', 'ttbar');
      const file = (transfer) => transfer.items.add(new File(['{}'], 'x.json'));
      return [drop('dragover', text), drop('drop', text), drop('dragover', file)];
    })()`);
    expect(prevented).toEqual([false, false, true]);
  });
});

describe('what the pointer can do, keys can do', () => {
  it('rows are walked and chosen', async () => {
    await driver.open(`${host.url}#${sample('adaptive')}&view=access`);
    await driver.read('file-table');
    await settled(driver);
    const row = '[data-testid="file-table"] tr.row-button[tabindex="0"]';
    await driver.read(row);
    expect(await driver.evaluate(`document.querySelectorAll('${row}').length`)).toBe(1);
    await driver.evaluate(`document.querySelector('${row}').focus(); 0`);
    const index = () =>
      driver.evaluate(
        'document.activeElement.ariaRowIndex ?? document.activeElement.getAttribute("aria-rowindex")',
      );
    expect(await index()).toBe('2');
    await driver.key('End');
    await driver.key('ArrowUp');
    await driver.key('ArrowDown');
    const last = Number(await index());
    expect(last).toBeGreaterThan(2);
    // "…/NAME" of a path
    const name = await driver.evaluate(
      'document.activeElement.cells[0].innerText.trim().split("/").pop()',
    );
    await driver.key('Enter');
    await expectSoon(async () => decodeURIComponent(await driver.address())).toContain(`/${name}`);
  });

  it('the cursor of the time tracks says where it is and what is there', async () => {
    await driver.open(`${host.url}#${sample('local-4x1')}&view=timelines`);
    await driver.read('track-cores');
    await settled(driver);
    await driver.evaluate(`document.querySelector('[data-testid="tracks"]').focus(); 0`);
    await driver.key('ArrowRight');
    await driver.key('ArrowRight');
    await expectSoon(() =>
      driver.evaluate('document.querySelector(\'[data-testid="cursor-report"]\').textContent'),
    ).toMatch(/^[\d.]+\s?s, .*Cores \d/);
    const text = await driver.attribute('tracks', 'aria-valuetext');
    expect(text).toMatch(/^[\d.]+\s?s$/);
  });
});

describe('a picture of the scatter', () => {
  it('has two pixels for each of the screen', async () => {
    await driver.open(`${host.url}#${sample('local-4x1')}&view=chunks`);
    await driver.read('[data-testid="scatter-panel"] canvas');
    await settled(driver);
    await driver.click('[data-testid="scatter-panel"] .panel-menu');
    const { content } = await driver.save('[data-testid="scatter-panel"] [data-testid^="svg-"]');
    const image = /<image[^>]*>/.exec(new TextDecoder().decode(content))?.[0] ?? '';
    const width = Number(/ width="([\d.]+)"/.exec(image)?.[1]);
    const data = /href="data:image\/png;base64,([^"]+)"/.exec(image)?.[1] ?? '';
    // the width of a PNG is told at its byte 16
    expect(Buffer.from(data, 'base64').readUInt32BE(16)).toBe(Math.round(2 * width));
  });
});
