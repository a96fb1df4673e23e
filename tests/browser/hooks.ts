/**
 * What a browser's own protocol cannot do everywhere, done by the page itself: files that are
 * chosen, dropped and saved.
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { eventually } from './patience';

/** A file on this machine, what it is called when a folder is dropped, and with which one it was. */
interface LocalFile {
  full: string;
  relative: string;
  dropped: number;
}

function localFiles(paths: readonly string[]): LocalFile[] {
  const below = (full: string, relative: string, dropped: number): LocalFile[] =>
    statSync(full).isDirectory()
      ? readdirSync(full)
          .sort()
          .flatMap((name) => below(join(full, name), `${relative}/${name}`, dropped))
      : [{ full, relative, dropped }];
  return paths.flatMap((path, dropped) => below(path, basename(path), dropped));
}

/**
 * The input that takes files for the page: the one it made itself to ask for some, or one for a
 * drop.
 */
export const inputSelector = '#test-files';

/**
 * Runs in the page before it is used. An input that is clicked to ask for files waits in the
 * document, where a driver can give it some; a link that saves a blob leaves it in `testSaved`;
 * errors are kept in `testComplaints`.
 */
export const installHooks = `(() => {
  if (window.testSaved) return;
  window.testSaved = [];
  window.testComplaints = [];
  const complain = (text) => window.testComplaints.push(String(text));
  addEventListener('error', (event) => complain(event.message));
  addEventListener('unhandledrejection', (event) => complain(event.reason));
  addEventListener('securitypolicyviolation', (event) => complain(event.violatedDirective + ' ' + event.blockedURI));
  const consoleError = console.error;
  console.error = (...all) => { complain(all.join(' ')); consoleError.apply(console, all); };
  const blobs = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (object) => { const url = create.call(URL, object); blobs.set(url, object); return url; };
  const wait = (input) => {
    document.querySelector('${inputSelector}')?.remove();
    input.id = 'test-files';
    input.style.position = 'fixed';
    input.style.top = '0';
    input.style.zIndex = '9999';
    document.body.append(input);
  };
  const inputClick = HTMLInputElement.prototype.click;
  HTMLInputElement.prototype.click = function () {
    if (this.type === 'file') wait(this);
    else inputClick.call(this);
  };
  const anchorClick = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    const blob = this.download && blobs.get(this.href);
    if (!blob) return anchorClick.call(this);
    const reader = new FileReader();
    const name = this.download;
    reader.onload = () => window.testSaved.push({ name, base64: reader.result.slice(reader.result.indexOf(',') + 1) });
    reader.readAsDataURL(blob);
  };
  window.testAskForDrop = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    wait(input);
  };
  window.testDrop = (places) => {
    const input = document.querySelector('${inputSelector}');
    const files = Array.from(input.files);
    input.remove();
    const roots = [];
    files.forEach((file, place) => {
      const { relative, dropped } = places[place];
      const one = { isFile: true, isDirectory: false, name: file.name, fullPath: '/' + relative, file: (done) => done(file) };
      if (!relative.includes('/')) { roots[dropped] = one; return; }
      const inside = roots[dropped]?.inside ?? [];
      inside.push(one);
      const createReader = () => {
        let rest = inside;
        return { readEntries: (done) => { const some = rest; rest = []; done(some); } };
      };
      roots[dropped] = { isFile: false, isDirectory: true, name: relative.split('/')[0], inside, createReader };
    });
    const items = roots.filter(Boolean).map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry }));
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items, files } });
    document.body.dispatchEvent(event);
  };
})()`;

interface Saved {
  name: string;
  base64: string;
}

/** What a driver has to be able to do for the hooks. */
interface Hooked {
  evaluate(expression: string): Promise<unknown>;
  /** Gives these files to the input that waits for some. */
  give(paths: string[]): Promise<void>;
}

/** Drops, chooses and saves in a page that has the hooks. */
export const byHooks = ({ evaluate, give }: Hooked) => ({
  async drop(paths: string[]): Promise<void> {
    const files = localFiles(paths);
    await evaluate('testAskForDrop()');
    await give(files.map((file) => file.full));
    await evaluate(`testDrop(${JSON.stringify(files)})`);
  },
  /** Chooses these files when `ask` has asked for some. */
  async choose(ask: () => Promise<void>, paths: string[]): Promise<void> {
    await ask();
    await give(paths);
    await evaluate(`document.querySelector('${inputSelector}')?.remove()`);
  },
  /** The file that `begin` saves. */
  async saved(begin: () => Promise<void>): Promise<{ name: string; content: Uint8Array }> {
    const before = await evaluate('testSaved.length');
    await begin();
    const { name, base64 } = await eventually(
      async () => ((await evaluate(`testSaved[${before}] ?? null`)) as Saved | null) ?? undefined,
      () => 'nothing was saved',
    );
    return { name, content: new Uint8Array(Buffer.from(base64, 'base64')) };
  },
});
