/**
 * Nothing gets in: names of a bundle are never markup. Nothing gets out: no request that the user
 * did not ask for.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeAttackBundle } from '../support/attackBundle';
import { pathOf } from '../support/bundles';
import { tabs } from '../support/views';
import type { Driver } from './driver';
import { useScene } from './scene';
import { dist, readableByAll, serve } from './serve';
import { type Host, singlePage } from './settings';
import { expectSoon, pageIsKept, settled } from './soon';

const samples = fileURLToPath(new URL('../../public/samples/', import.meta.url));

let host: Host;
let driver: Driver;
let folder: string;

useScene((scene) => {
  ({ host, driver, folder } = scene);
});

/** The directives of the policy in a page's text. */
async function policyOf(page: string): Promise<Record<string, string>> {
  const html = await readFile(join(dist, page), 'utf8');
  const content =
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? '';
  // before anything that it is to forbid
  expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.search(/<(script|style|link)/));
  return Object.fromEntries(
    content
      .split('; ')
      .map((directive) => [
        directive.split(' ', 1)[0],
        directive.slice(directive.indexOf(' ') + 1),
      ]),
  );
}

/** Shows one view after the other, and calls `seen` on each. */
async function visitEveryView(
  seen: (id: string) => Promise<void> = async () => undefined,
): Promise<void> {
  for (const [index, { id }] of tabs.entries()) {
    await driver.key(String(index + 1));
    await driver.read(`#view[aria-labelledby="tab-${id}"]`);
    await settled(driver);
    await seen(id);
  }
}

describe('the policy', () => {
  it('of the hosted page lets it load its own files, and data from any server that the user names', async () => {
    expect(await policyOf('index.html')).toEqual({
      'default-src': "'none'",
      'script-src': expect.stringMatching(/^'self' 'sha256-[\w+/=]+' 'wasm-unsafe-eval'$/),
      'style-src': "'self'",
      'img-src': "'self' data: blob:",
      'worker-src': "'self' blob:",
      'connect-src': "'self' https: http: blob: data:",
      'base-uri': "'none'",
      'form-action': "'none'",
    });
  });

  it('of the page in one file lets it run what is in it, and connect to nothing', async () => {
    const policy = await policyOf('crema.html');
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'connect-src': "'none'",
      'img-src': 'data: blob:',
    });
    expect(policy['script-src']).toMatch(/^('sha256-[\w+/=]+' ){2}'wasm-unsafe-eval'$/);
    expect(policy['style-src']).toMatch(/^'sha256-[\w+/=]+'$/);
  });
});

for (const [setting, address] of [
  ['hosted', () => host.url],
  ['from file:', () => singlePage],
] as const) {
  describe(setting, () => {
    it('shows a bundle full of attacks as the text that it is', async () => {
      const bundle = await writeAttackBundle(folder);
      await driver.open(address());
      await driver.drop([bundle]);
      await driver.read('view-summary');
      const foreign = `[...document.querySelectorAll('img, iframe, object, embed, script:not(head script, body > script), [href^="javascript:"], [srcdoc]')]
        .concat([...document.querySelectorAll('*')].filter((one) => [...one.attributes].some((a) => a.name.startsWith('on'))))
        .map((one) => one.outerHTML.slice(0, 200))`;
      const harm = async () => ({
        elements: await driver.evaluate(foreign),
        ran: await driver.evaluate(`'attacked' in globalThis`),
      });
      const unharmed = { elements: [], ran: false };
      await visitEveryView(async (id) =>
        expect({ id, ...(await harm()) }).toEqual({ id, ...unharmed }),
      );
      // the attacks were there to be seen
      await driver.read('view-recording', 'globalThis.attacked=1');
      await driver.click('run-chip');
      await driver.read('run-menu', '<img src=x onerror=globalThis.attacked=1>');
      await driver.key('Escape');
      await driver.key('4');
      await driver.read('flame-total');
      await driver.click('export');
      const { content } = await driver.save('export-svg');
      const svg = new TextDecoder().decode(content);
      expect(svg).toContain('globalThis.attacked=1');
      // as a picture that is opened in a browser: well-formed, and no element or attribute of a
      // name
      const seen = await driver.evaluate(`(() => {
        const drawn = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml');
        const all = [...drawn.querySelectorAll('*')];
        return {
          names: [...new Set(all.map((one) => one.localName))].filter((name) => !/^(svg|g|rect|text|title|desc|style|path|line|tspan|defs|clipPath|pattern|circle|polygon|polyline)$/.test(name)),
          handlers: all.flatMap((one) => one.getAttributeNames()).filter((name) => /^on|href/.test(name)),
        };
      })()`);
      expect(seen).toEqual({ names: [], handlers: [] });
      expect(await harm()).toEqual(unharmed);
    });
  });
}

describe('requests', () => {
  it('are none after the hosted page has loaded, whatever is opened from disk and looked at', async () => {
    const site = await serve({ folder: dist });
    try {
      await driver.open(site.url);
      // the page has its list of samples when it shows them
      await driver.read('sample-local-4x1');
      // the worker has the core when it can refuse something
      await driver.drop([pathOf('local-4x1', 'oracle.json')]);
      await driver.read('error');
      // parts that are wanted later come while the page rests; that which hears other pages does
      // not, where there is none
      const parts = (await readdir(join(dist, 'assets'))).filter(
        (name) => !name.startsWith('Host-'),
      );
      await expectSoon(async () =>
        parts.filter((name) => !site.asked.join().includes(name)),
      ).toEqual([]);
      await pageIsKept(driver);
      const [asked, requests] = [site.asked.length, (await driver.requests()).length];
      await driver.drop([pathOf('local-4x1'), pathOf('ab-before')]);
      await driver.read('view-compare');
      await visitEveryView();
      expect(site.asked.slice(asked)).toEqual([]);
      expect((await driver.requests()).slice(requests)).toEqual([]);
    } finally {
      await site.close();
    }
  });

  it('are none at all of the page in one file', async () => {
    await driver.open(singlePage);
    await driver.read('start', 'own policy forbids every connection');
    await driver.drop([pathOf('local-4x1'), pathOf('ab-before')]);
    await driver.read('view-compare');
    await visitEveryView();
    expect((await driver.requests()).filter((url) => url !== singlePage)).toEqual([]);
  });

  it('of the page in one file are forbidden by the browser', async () => {
    const other = await serve({ folder: samples, headers: readableByAll });
    try {
      await driver.open(singlePage);
      await driver.read('start');
      const script = `fetch(${JSON.stringify(`${other.url}samples.json`)}).then(() => 'fetched', () => 'refused')`;
      expect(await driver.evaluate(script)).toBe('refused');
      expect(other.asked).toEqual([]);
    } finally {
      // the browser complains of what it refused
      await driver.open(host.url);
      await other.close();
    }
  });
});
