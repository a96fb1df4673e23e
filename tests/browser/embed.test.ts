/** The page in another page: what they say to each other, and who may. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Driver } from './driver';
import { useScene } from './scene';
import { dist, type Served, serve } from './serve';
import type { Host } from './settings';
import { expectSoon, settled } from './soon';

let host: Host;
let driver: Driver;

useScene((scene) => {
  ({ host, driver } = scene);
});

describe('the example host page', () => {
  it('opens a run by message, asks about it, and hears what is selected', async () => {
    await driver.open(`${host.url}embed-example.html`);
    await driver.read('#state', '"view": "summary"');
    await driver.click('#sample');
    await driver.read('#numbers', /Elapsed 70\.4722 s Events 2,139,123 Chunks recorded 214/);
    await driver.within('#crema');
    await driver.read('run-chip', 'local-4x1');
    await driver.read('tile-elapsed', '1 min 10.5 s');
    await driver.click('tab-timelines');
    await driver.read('track-cores');
    await settled(driver);
    // in a narrow frame a track's name stands above its plot
    await driver.drag(
      '[data-testid="track-cores"] > :not(.track-gutter, .gutter-controls)',
      0.25,
      0.5,
    );
    const shown = await driver.read('selection-text', /Selection [12]\d\.\d s/);
    await driver.within();
    const state = async () => {
      const text = await driver.read('#state', '"time"');
      return JSON.parse(text) as { view: string; selection: { time: number[] } };
    };
    expect((await state()).view).toBe('timelines');
    // the frame tells its host of every step of the drag
    const selected = async () => {
      const [begin = 0, end = 0] = (await state()).selection.time;
      return end - begin;
    };
    await expectSoon(selected).toBeCloseTo(Number(/Selection ([\d.]+) s/.exec(shown)?.[1]), 0);
  });

  it('steers the view and the theme', async () => {
    await driver.open(`${host.url}embed-example.html`);
    // it waits for the frame
    await driver.click('#sample:not([disabled])');
    await driver.read('#numbers', 'Chunks recorded 214');
    await driver.select('#view', 'compute');
    await driver.click('#dark');
    await driver.within('#crema');
    await driver.read('view-compute');
    await driver.read('html[data-theme="dark"]');
  });
});

it('shows where the core-time went as a bar, with nothing empty below it', async () => {
  await driver.open(`${host.url}#embed&url=samples/local-4x1.zip`);
  await driver.read('budget', 'Inside process()');
  const height = async () =>
    Number(
      await driver.evaluate(
        'document.querySelector("[data-testid=budget]").getBoundingClientRect().height',
      ),
    );
  await expectSoon(height).toBeLessThan(160);
});

/**
 * A page that tells what its frame answers, one line per message, and sends what its address says.
 */
const talk = (
  frame: string,
) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>host</title>
<iframe id="crema" src="${frame}" width="1000" height="600"></iframe>
<iframe id="sibling" srcdoc="<script>
  onmessage = ({ data }) => parent.note('sibling ' + JSON.stringify(data));
  setInterval(() => {
    for (const type of ['crema:ping', 'crema:show']) parent.frames[0]?.postMessage({ type, view: 'notes' }, '*');
  }, 50);
</script>"></iframe>
<pre id="log"></pre>
<button id="ask">ask</button><button id="wrong">wrong</button>
<button id="dark">dark</button><button id="open">open</button><button id="other">open another</button>
<script>
  const note = (line) => { document.getElementById('log').textContent += line + '\\n'; };
  const send = (message) => frames[0].postMessage(message, '*');
  onmessage = ({ data }) => note(data.type + ' ' + JSON.stringify(data));
  const pinging = setInterval(() => send({ type: 'crema:ping' }), 100);
  addEventListener('message', ({ data }) => data.type === 'crema:pong' && clearInterval(pinging));
  const on = (id, message) => { document.getElementById(id).onclick = () => send(message); };
  on('ask', { type: 'crema:ask', id: 7, question: 'runs' });
  on('dark', { type: 'crema:show', theme: 'dark' });
  on('wrong', { type: 'crema:show', view: 'nowhere' });
  const sent = (id, data) => ({ type: 'crema:open', id, name: 'sent', files: [{ path: 'stacks.folded', data }] });
  on('open', sent('one', 'main;work 3\\nmain 1\\n'));
  on('other', sent('two', 'main;work 4\\nmain 1\\n'));
</script>`;

describe('who may speak', () => {
  let near: Served;
  // another loopback address is another origin, and none that is trusted
  let foreign: Served;

  beforeAll(async () => {
    near = await serve({ folder: dist, pages: { '/host.html': talk('index.html#embed') } });
    foreign = await serve({
      address: '127.0.0.2',
      pages: { '/host.html': talk(`${near.url}index.html#embed`) },
    });
  });
  afterAll(async () => {
    await near.close();
    await foreign.close();
  });

  it('a page of the same origin, unasked; a frame beside the page is not heard', async () => {
    await driver.open(`${near.url}host.html`);
    await driver.read('#log', /crema:pong .*"version":"\d+\.\d+\.\d+"/);
    await driver.click('#open');
    await driver.read('#log', /crema:opened .*"runs":\[\{"id":0,"title":"[^"]+"\}\].*"id":"one"/);
    await driver.click('#ask');
    const log = await driver.read('#log', /crema:answer .*"question":"runs","rows":1.*"id":7/);
    expect(log).not.toContain('sibling');
    await driver.click('#wrong');
    await driver.read('#log', /crema:error .*view is not one of summary, timelines/);
    await driver.within('#crema');
    await driver.gone('view-recording');
    await driver.gone('trust');
  });

  it('any page of light and dark, and the user is not asked', async () => {
    await driver.open(`${foreign.url}host.html`);
    await driver.read('#log', 'crema:pong');
    await driver.click('#dark');
    await driver.within('#crema');
    await driver.read('html[data-theme="dark"]');
    await driver.gone('trust');
  });

  it('and opens with each message a run of its own, but none twice', async () => {
    await driver.open(`${near.url}host.html`);
    await driver.read('#log', 'crema:pong');
    await driver.click('#open');
    await driver.read('#log', /crema:opened .*"runs":\[\{"id":0,"title":"sent"\}\].*"id":"one"/);
    await driver.click('#other');
    await driver.read(
      '#log',
      /crema:opened .*"runs":\[\{"id":1,"title":"sent \(2\)"\}\].*"id":"two"/,
    );
    await driver.click('#open');
    await driver.read('#log', /"id":"two".*"runs":\[\{"id":0,"title":"sent"\}\].*"id":"one"/);
  });

  it('a page of another origin, once the user has allowed it', async () => {
    await driver.open(`${foreign.url}host.html`);
    await driver.read('#log', 'crema:pong');
    await driver.click('#open');
    await driver.within('#crema');
    await driver.read('trust', /May http:\/\/127\.0\.0\.2:\d+ use this page\?/);
    // who leaves the question without a word refuses
    await driver.key('Tab');
    await driver.key('Escape');
    await driver.gone('trust');
    await driver.within();
    const refused = await driver.read(
      '#log',
      /crema:error .*the user did not allow http:\/\/127\.0\.0\.2/,
    );
    expect(refused).not.toContain('crema:state');
    expect(refused).not.toContain('crema:opened');
    await driver.click('#ask');
    await driver.read('#log', /crema:error .*"id":7/);

    await driver.reload();
    await driver.read('#log', 'crema:pong');
    await driver.click('#open');
    await driver.within('#crema');
    await driver.click('trust-yes');
    await driver.within();
    await driver.read('#log', /crema:state .*crema:opened/);

    // asked once
    await driver.click('#ask');
    await driver.read('#log', 'crema:answer');
    await driver.within('#crema');
    await driver.gone('trust');
  });
});
