/** The recorded bundles of tests/data, as a user would open them. */
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { InputFile } from '../../web/engine/engine';

const data = new URL('../data/', import.meta.url);

/** What roastcoffea said about a run, which is no part of its bundle. */
const oracle = 'oracle.json';

export function pathOf(bundle: string, file = ''): string {
  return fileURLToPath(new URL(`${bundle}/${file}`, data));
}

export function bundleNames(): string[] {
  return readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(pathOf(entry.name, 'metrics.json')))
    .map((entry) => entry.name)
    .sort();
}

export async function fileNames(bundle: string): Promise<string[]> {
  const names = await readdir(pathOf(bundle));
  return names.filter((name) => name !== oracle).sort();
}

export async function fileOf(bundle: string, name: string): Promise<InputFile> {
  return { path: `${bundle}/${name}`, data: new Blob([await readFile(pathOf(bundle, name))]) };
}

export async function bundle(name: string): Promise<InputFile[]> {
  const names = await fileNames(name);
  return Promise.all(names.map((file) => fileOf(name, file)));
}
