/** What the npm package `crema` offers to programs under Node: the engine that the page uses, in this process. */
import { openAsBlob } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import createCrema from 'crema-core/crema.js';
import { CoreEngine } from './core';
import type { InputFile, Opened, OpenOptions } from './engine';

export type { Artefact, AskOptions, Doubt, InputFile, Opened, OpenOptions, RunId, Selection } from './engine';
export { CoreError } from './engine';
export { type Column, Table } from './table';
export { tableCsv } from './tableCsv';
export { type TableJson, tableJson } from './tableJson';

/** Everything below a file or folder of this machine, each with its path from that folder on. */
async function filesBelow(path: string, shown = basename(resolve(path))): Promise<InputFile[]> {
  if (!(await stat(path)).isDirectory()) return [{ path: shown, data: await openAsBlob(path) }];
  const names = (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
  return (await Promise.all(names.map((name) => filesBelow(join(path, name), `${shown}/${name}`)))).flat();
}

/** The core, ready to open bundles and answer questions: `(await Engine.create()).openPaths(['run/'])`. */
export class Engine extends CoreEngine {
  /** Loads the WebAssembly core that lies beside this file. */
  static async create(): Promise<Engine> {
    return new Engine(await createCrema({ wasmBinary: await readFile(new URL('./crema.wasm', import.meta.url)) }));
  }

  /** Opens files, archives and folders of this machine; each folder is a bundle, or holds some. */
  async openPaths(paths: string[], options: OpenOptions = {}): Promise<Opened> {
    return this.open((await Promise.all(paths.map((path) => filesBelow(path)))).flat(), options);
  }
}
