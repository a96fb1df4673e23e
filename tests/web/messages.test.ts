import { afterEach, describe, expect, it, vi } from 'vitest';
import { isMessage, parseMessage } from '../../web/host/messages';
import { asking, isTrusted, mayJoin } from '../../web/host/trust';
import '../../web/views/views';

const parse = (message: { type: string } & Record<string, unknown>) => parseMessage(message);

describe('messages of a host', () => {
  it('are plain objects whose type begins with crema:', () => {
    expect(isMessage({ type: 'crema:ping' })).toBe(true);
    for (const other of [undefined, null, 'crema:ping', { type: 'webpackOk' }, { type: 7 }])
      expect(isMessage(other)).toBe(false);
  });

  it('bring files as text or bytes, in a folder of the name', async () => {
    const files = [
      { path: 'metrics.json', data: '{}' },
      { path: 'a/b.json', data: new TextEncoder().encode('[1]') },
      { path: 'c.json', data: new TextEncoder().encode('[22]').buffer },
    ];
    const message = parse({ type: 'crema:open', name: 'my run', files });
    if (message.type !== 'crema:open') throw new Error('not an opening');
    expect(message.files.map((file) => file.path)).toEqual([
      'my run/metrics.json',
      'my run/a/b.json',
      'my run/c.json',
    ]);
    expect(await Promise.all(message.files.map((file) => file.data.text()))).toEqual([
      '{}',
      '[1]',
      '[22]',
    ]);
    expect(parse({ type: 'crema:open', files: [{ path: 'x.json', data: '{}' }] })).toMatchObject({
      files: [{ path: 'x.json' }],
    });
  });

  it('ask about one run or several', () => {
    expect(
      parse({
        type: 'crema:ask',
        id: 'q1',
        question: 'chunks',
        run: 3,
        selection: { time: [1, 2] },
      }),
    ).toEqual({
      type: 'crema:ask',
      id: 'q1',
      question: 'chunks',
      runs: [3],
      selection: { time: [1, 2] },
      options: {},
    });
    expect(parse({ type: 'crema:ask', question: 'compare', run: [0, 1] })).toMatchObject({
      runs: [0, 1],
    });
  });

  for (const [sentence, message] of [
    [
      'crema:close is unknown; known are crema:ping, crema:open, crema:ask, crema:show',
      { type: 'crema:close' },
    ],
    ['crema:toString is unknown', { type: 'crema:toString' }],
    ['files is not a list of {path, data}', { type: 'crema:open', name: 'x' }],
    [
      'files[1].path is no file name',
      { type: 'crema:open', files: [{ path: 'a', data: '' }, { data: '' }] },
    ],
    [
      'files[0].data is neither text nor an ArrayBuffer',
      { type: 'crema:open', files: [{ path: 'a', data: { 0: 1 } }] },
    ],
    ['question is not the name of a question', { type: 'crema:ask', id: 1 }],
    ['run is neither the id', { type: 'crema:ask', question: 'summary', run: 'local' }],
    [
      'options is not an object',
      { type: 'crema:ask', question: 'summary', options: { bins: [1] } },
    ],
    [
      'selection.dataset is unknown; known are time',
      { type: 'crema:show', selection: { dataset: ['a'] } },
    ],
    [
      'selection.time is not [begin, end] in seconds',
      { type: 'crema:show', selection: { time: [9, 1] } },
    ],
    [
      'selection.files is not a list of names',
      { type: 'crema:show', selection: { files: ['a', 1] } },
    ],
    ['view is not one of summary, timelines', { type: 'crema:show', view: 'nowhere' }],
    ['theme is neither', { type: 'crema:show', theme: 'sepia' }],
  ] as const) {
    it(`that are malformed are told so: ${sentence}`, () => {
      expect(() => parse(message)).toThrow(sentence);
    });
  }
});

describe('origins', () => {
  const page = { origin: 'https://me.github.io', protocol: 'https:' };

  it('of the page itself and of this computer need no word of the user', () => {
    for (const origin of [
      'https://me.github.io',
      'http://localhost:8888',
      'http://127.0.0.1',
      'https://[::1]:1',
    ])
      expect(isTrusted(origin, page), origin).toBe(true);
  });

  it('of anybody else do', () => {
    for (const origin of [
      'https://you.github.io',
      'http://me.github.io',
      'https://localhost.evil.org',
      'null',
    ])
      expect(isTrusted(origin, page), origin).toBe(false);
    expect(isTrusted('null', { origin: 'null', protocol: 'file:' })).toBe(false);
  });

  it('do not matter to a page that was made of text by the one around it', () => {
    expect(isTrusted('https://hub.example', { origin: 'null', protocol: 'about:' })).toBe(true);
  });
});

describe('the word of the user', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is asked for once in a session', async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('location', { origin: 'https://me.github.io', protocol: 'https:' });
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    const first = mayJoin({}, 'https://hub.example');
    expect(asking.value?.origin).toBe('https://hub.example');
    asking.value?.answer(true);
    expect(await first).toBe(true);
    // another window, as after a reload
    expect(await mayJoin({}, 'https://hub.example')).toBe(true);
    expect(asking.value).toBeUndefined();
  });

  it('counts for the window alone where there is no origin, or nothing can be kept', async () => {
    vi.stubGlobal('location', { origin: 'https://me.github.io', protocol: 'https:' });
    const one = {};
    const first = mayJoin(one, 'null');
    asking.value?.answer(true);
    expect(await first).toBe(true);
    expect(await mayJoin(one, 'null')).toBe(true);
    const other = mayJoin({}, 'null');
    asking.value?.answer(false);
    expect(await other).toBe(false);
  });
});
