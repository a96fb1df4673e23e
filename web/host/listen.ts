/**
 * A recording whose folder the host reads for the page: in a notebook the page may fetch nothing
 * itself.
 */
import { effect } from '@preact/signals';
import { version } from '../../package.json';
import { companions } from '../engine/companions';
import type { InputFile } from '../engine/engine';
import type { QuestionName } from '../engine/questions';
import { indexName, isPart, readIndex } from '../engine/recordedParts';
import { tableJson } from '../engine/tableJson';
import { engine } from '../state/engine';
import { here } from '../state/link';
import { openForHost, openGrowing } from '../state/opening';
import { formatPermalink } from '../state/permalink';
import { activeRunId } from '../state/runs';
import { select, selection } from '../state/selection';
import { showTheme } from '../state/theme';
import { brushing } from '../state/undo';
import { view } from '../state/view';
import { type HostMessage, idOf, isMessage, type PageMessage, parseMessage } from './messages';
import { isKnown, mayJoin } from './trust';

interface Host {
  window: Window;
  /** that it may hear what the page says; "*" for a page without one */
  origin: string;
}

/** Those that may speak and hear; at most the parent and the opener. */
const hosts = new Map<Window, Host>();

/** Listens to the page around this one, or the one that opened it. Once, when the page is drawn. */
export function listenToHost(): void {
  // one after the other, as they came: who opens a run and asks at once is answered about that run
  let before: Promise<void> = Promise.resolve();
  window.addEventListener('message', (event) => {
    const { source, data } = event;
    const isHost =
      source !== null &&
      source !== window &&
      (source === window.parent || source === window.opener);
    if (!isHost || !isMessage(data)) return;
    const host = { window: source as Window, origin: event.origin === 'null' ? '*' : event.origin };
    const work = () => answer(host, event.origin, data);
    // whether the page is ready is told to anybody, and at once; what the page itself asked for is
    // not kept waiting by what waits for it
    if (data.type === 'crema:ping' || data.type === 'crema:file') work().catch(() => undefined);
    // whoever is gone before its answer ends its own request, not those that come after it
    else before = before.then(work).catch(() => undefined);
  });
}

async function answer(host: Host, origin: string, data: { type: string }): Promise<void> {
  const reply = (message: PageMessage) => post(host, { ...message, ...idOf({ ...data }) });
  try {
    const message = parseMessage(data);
    if (message.type === 'crema:ping') {
      await engine().ready();
      reply({ type: 'crema:pong', version });
      if (isKnown(origin)) join(host);
      return;
    }
    // light or dark is no secret and does no harm: a notebook that was exported says no more
    if (message.type === 'crema:show' && message.theme && !message.view && !message.selection) {
      showTheme(message.theme);
      return;
    }
    if (!(await mayJoin(host.window, origin)))
      throw new Error(`the user did not allow ${origin} to use this page`);
    join(host);
    await obey(message, reply);
  } catch (problem) {
    reply({
      type: 'crema:error',
      message: problem instanceof Error ? problem.message : String(problem),
    });
  }
}

async function obey(
  message: Exclude<HostMessage, { type: 'crema:ping' }>,
  reply: (message: PageMessage) => void,
): Promise<void> {
  switch (message.type) {
    case 'crema:open': {
      const { runs, notes } = await openForHost(message.files);
      reply({ type: 'crema:opened', runs: runs.map(({ id, title }) => ({ id, title })), notes });
      return;
    }
    case 'crema:ask': {
      const active = activeRunId.peek();
      const runs = message.runs ?? (active === undefined ? [] : [active]);
      if (runs.length === 0)
        throw new Error(`crema:ask: no run is open that could answer ${message.question}`);
      const { selection, options } = message;
      reply({
        type: 'crema:answer',
        table: tableJson(
          await engine().ask(message.question as QuestionName, { runs, selection, options }),
        ),
      });
      return;
    }
    case 'crema:follow':
      followHost(message.name, (path, id) => reply({ type: 'crema:fetch', path, id }));
      return;
    case 'crema:file':
      takeFile(message.id, message.data);
      return;
    case 'crema:show':
      if (message.theme) showTheme(message.theme);
      if (message.view) view.value = message.view;
      if (message.selection) select(message.selection);
  }
}

/** From now on `host` hears of every change; it begins with how things stand. */
function join(host: Host): void {
  if (hosts.has(host.window)) return;
  hosts.set(host.window, host);
  let last = '';
  effect(() => {
    // a drag is told where it ends
    if (brushing.value) return;
    const state = {
      view: view.value,
      selection: selection.value,
      hash: formatPermalink(here.value),
    };
    const text = JSON.stringify(state);
    if (text === last) return;
    last = text;
    post(host, { type: 'crema:state', ...state });
  });
}

function post(host: Host, message: PageMessage): void {
  host.window.postMessage(message, host.origin);
}

type Data = ArrayBuffer | undefined;

const awaited = new Map<unknown, (data: Data) => void>();
let asked = 0;

/** What the host found of the file that it was asked for under that id. */
function takeFile(id: unknown, data: Data): void {
  awaited.get(id)?.(data);
  awaited.delete(id);
}

let isFollowing = false;

/** `fetch` asks the host for a file of the folder. Once: the host says it whenever it is answered. */
function followHost(name: string, fetch: (path: string, id: number) => void): void {
  if (isFollowing) return;
  isFollowing = true;
  const ask = (path: string) =>
    new Promise<Blob | undefined>((resolve) => {
      asked += 1;
      awaited.set(asked, (data) => resolve(data && new Blob([data])));
      fetch(path, asked);
    });
  // a part never changes
  let parts = new Map<string, Blob>();
  void openGrowing(async () => {
    const text = await ask(indexName);
    const index = text && readIndex(await text.text());
    if (!index) return [];
    const names = index.isRunning ? index.parts : [...index.parts, ...companions];
    const found = await Promise.all(
      names.map(async (path) => ({ path, data: parts.get(path) ?? (await ask(path)) })),
    );
    const files = found.filter((file): file is InputFile => file.data !== undefined);
    parts = new Map(files.filter(({ path }) => isPart(path)).map(({ path, data }) => [path, data]));
    return [...files, { path: indexName, data: text }].map(({ path, data }) => ({
      path: `${name}/${path}`,
      data,
    }));
  });
}
