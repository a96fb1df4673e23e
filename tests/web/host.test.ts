/** Both ends of the talk between a page and the one around it, without windows. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '../../public/crema-host.js';
import type { Engine } from '../../web/engine/engine';
import { listenToHost } from '../../web/host/listen';
import { provideEngine } from '../../web/state/engine';

type Hear = (event: { source: unknown; origin: string; data: unknown }) => void;

const settled = () => new Promise((resolve) => setTimeout(resolve));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the page', () => {
  it('answers what comes after a host that could not be answered', async () => {
    let hear: Hear = () => undefined;
    const said: { type: string; id?: number }[] = [];
    let isGone = true;
    const host = {
      postMessage(message: { type: string }) {
        if (isGone) throw new Error('the window is gone');
        said.push(message);
      },
    };
    vi.stubGlobal('location', { origin: 'http://localhost', protocol: 'http:', href: '' });
    vi.stubGlobal('window', {
      parent: host,
      opener: null,
      addEventListener: (_: string, listener: Hear) => {
        hear = listener;
      },
    });
    provideEngine({} as Engine);
    listenToHost();
    const ask = (id: number) =>
      hear({
        source: host,
        origin: 'http://localhost',
        data: { type: 'crema:ask', question: 'summary', id },
      });
    ask(1);
    await settled();
    isGone = false;
    ask(2);
    await settled();
    expect(said.filter(({ id }) => id !== undefined)).toMatchObject([
      { type: 'crema:error', id: 2 },
    ]);
  });
});

describe('crema-host.js', () => {
  let hear: Hear;
  let posted: { type: string; id: number }[];
  const page = { postMessage: (message: { type: string; id: number }) => posted.push(message) };
  const from = (origin: string, data: unknown) => hear({ source: page, origin, data });

  beforeEach(() => {
    posted = [];
    vi.stubGlobal('document', { baseURI: 'https://lab.example/notebook' });
    vi.stubGlobal('addEventListener', (_: string, listener: Hear) => {
      hear = listener;
    });
    vi.stubGlobal('removeEventListener', () => undefined);
  });

  const version = async (settings: { origin?: string }, ...origins: string[]) => {
    const connecting = connect(page as unknown as Window, settings);
    await settled();
    for (const [at, origin] of origins.entries())
      from(origin, { type: 'crema:pong', id: posted[0]?.id, version: `of ${at}` });
    return (await connecting).version;
  };

  it('hears only the page that it was told of', async () => {
    const origin = 'https://crema.example/page/';
    expect(await version({ origin }, 'https://other.example', 'https://crema.example')).toBe(
      'of 1',
    );
    expect(await version({ origin: '/' }, 'null', 'https://lab.example')).toBe('of 1');
  });

  it('hears whatever page the window holds where the origin is not known', async () => {
    expect(await version({}, 'null')).toBe('of 0');
  });
});
