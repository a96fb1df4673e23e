/**
 * What the npm package `crema` offers to programs under Node: the engine that the page uses, in
 * this process.
 */
import { openAsBlob } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve } from 'node:path';
import createCrema from 'crema-core/crema.js';
import { CoreEngine } from './core';
import type { InputFile, Opened, OpenOptions } from './engine';

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
