/**
 * What the npm package `crema` offers to programs under Node: the engine that the page uses, in
 * this process.
 */
import { openAsBlob } from 'node:fs';
import { mkdir, open, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve } from 'node:path';
import createCrema from 'crema-core/crema.js';
import { CoreEngine, sentenceOf } from './core';
import type { InputFile, Opened, OpenOptions } from './engine';
import { storeOf } from './pieces';
import { type Given, isZip, type SourceSink } from './sources';

export type {
  Artefact,
  AskOptions,
  DataNote,
  InputFile,
  Opened,
  OpenOptions,
  RunId,
  Selection,
} from './engine';
export { CoreError } from './engine';
export { type Column, Table } from './table';
export { tableCsv } from './tableCsv';
export { type TableJson, tableJson } from './tableJson';

/**
 * The core, ready to open bundles and answer questions: `(await
 * Engine.create()).openPaths(['run/'])`.
 */
export class Engine extends CoreEngine {
  /** Loads the WebAssembly core that lies beside this file. */
  static async create(): Promise<Engine> {
    return new Engine(
      await createCrema({ wasmBinary: await readFile(new URL('./crema.wasm', import.meta.url)) }),
    );
  }

  /**
   * Opens files, archives and folders of this machine; each folder is a bundle, or holds some,
   * whatever it is called.
   */
  async openPaths(paths: string[], options: OpenOptions = {}): Promise<Opened> {
    const files = await Promise.all(paths.map((path, source) => this.#filesBelow(path, source)));
    const sources = paths.map((path) => ({ name: dirname(resolve(path)) }));
    return this.open(files.flat(), { ...options, sources });
  }

  /**
   * Writes what an archive holds, or the archives in a folder, below `folder`, each file where
   * `openPaths` would have it, and returns the path that stands for `path`. The other files of a
   * folder become links. What cannot be had is left out or written in part; `tell` hears a sentence
   * about it.
   */
  async unpack(path: string, folder: string, tell: (sentence: string) => void): Promise<string> {
    const files = await this.#filesBelow(path, 0);
    const isAlone = !files[0]?.path.includes('/');
    const place = async (name: string) => {
      const target = join(folder, name);
      await mkdir(dirname(target), { recursive: true });
      return target;
    };
    const given: Given[] = [];
    for (const { path: name, data } of files) {
      if (isAlone || (await holdsZip(data)))
        given.push({ path: name, key: path, above: '', isAlone, store: storeOf(data) });
      else await symlink(resolve(dirname(resolve(path)), name), await place(name));
    }
    let begun = 0;
    const begin = () => begun++;
    const missed = (name: string, problem: unknown) => tell(`${name}: ${sentenceOf(problem)}`);
    const sink: SourceSink = {
      beginSource: begin,
      beginSingleFiles: begin,
      missFile: (_, name, problem) => missed(name, problem),
      missRest: (_, name, problem) => missed(name, problem),
    };
    let first: string | undefined;
    for await (const { shown, pieces } of this.filesIn(given, sink)) {
      first ??= shown.includes('/') ? shown.split('/')[0] : '';
      const file = await open(await place(shown), 'w');
      try {
        for await (const piece of pieces) await file.write(piece);
      } catch (problem) {
        missed(shown, problem);
      } finally {
        await file.close();
      }
    }
    return join(folder, isAlone ? (first ?? '') : basename(resolve(path)));
  }

  /** Everything in a file or folder of this machine, each with its path from that folder on. */
  async #filesBelow(path: string, source: number): Promise<InputFile[]> {
    const name = basename(resolve(path));
    const below = async (inner: string): Promise<InputFile[]> => {
      const place = join(path, inner);
      if (!(await stat(place)).isDirectory())
        return [{ path: posix.join(name, inner), data: await openAsBlob(place), source }];
      const names = (await readdir(place))
        .map((one) => posix.join(inner, one))
        .filter((one) => this.counts(one));
      return (await Promise.all(names.sort().map(below))).flat();
    };
    return below('');
  }
}

const holdsZip = async (data: Blob): Promise<boolean> =>
  isZip(new Uint8Array(await data.slice(0, 4).arrayBuffer()));
