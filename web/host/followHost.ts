/**
 * A recording whose folder the host reads for the page: in a notebook the page may fetch nothing
 * itself.
 */
import { companions } from '../engine/companions';
import type { InputFile } from '../engine/engine';
import { indexName, isPart, readIndex } from '../engine/recordedParts';
import { openGrowing } from '../state/opening';

type Data = ArrayBuffer | undefined;

const awaited = new Map<unknown, (data: Data) => void>();
let asked = 0;

/** What the host found of the file that it was asked for under that id. */
export function takeFile(id: unknown, data: Data): void {
  awaited.get(id)?.(data);
  awaited.delete(id);
}

let isFollowing = false;

/** `fetch` asks the host for a file of the folder. Once: the host says it whenever it is answered. */
export function followHost(name: string, fetch: (path: string, id: number) => void): void {
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
