/** Runs on their way out of the page: the files they were read from, packed, and if wanted without names of people. */
import type { NameHider } from 'crema-core/crema.js';
import { download } from './downloads';
import { CoreError, type InputFile, type Packed } from './engine';
import { gunzip, type Piece, pieceSize, piecesOf, type Store, storeOf, streamOf } from './pieces';
import { filesIn, type Source } from './sources';

export interface Part {
  stores: { path: string; store: Store }[];
  urls: string[];
  /** of the files that are wanted, as the core knows them: unpacked */
  paths: ReadonlySet<string>;
}

/** The files of `parts` and `text`; through `hider`, when there is one. */
export async function packed(parts: Part[], text: string, hider?: NameHider): Promise<Packed> {
  const files: InputFile[] = [];
  for (const [index, { stores, urls, paths }] of parts.entries()) {
    const sources: Source[] = [...stores, ...(await download(urls)).map((one) => one.source)];
    for (const source of sources) {
      for await (const { path, pieces } of filesIn(source)) {
        if (!paths.has(path)) continue;
        // loose files of several openings may be called alike
        const taken = files.some((file) => file.path === path);
        const data = await gzip(hider ? learning(hider, pieces) : pieces);
        files.push({ path: taken ? `${index + 1}/${path}` : path, data });
      }
    }
  }
  if (!hider) return { files, text };
  // a user may be known only by the last file
  for (const [index, { path, data }] of files.entries()) {
    const clear = gunzip(piecesOf(storeOf(data)));
    files[index] = { path: await hiddenText(hider, path), data: await gzip(hiding(hider, clear)) };
  }
  return { files, text: await hiddenText(hider, text) };
}

const gzip = (pieces: AsyncIterable<Piece>): Promise<Blob> =>
  new Response(streamOf(pieces).pipeThrough(new CompressionStream('gzip'))).blob();

/** The same pieces, which `hider` has seen. */
async function* learning(hider: NameHider, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    for (const part of inParts(piece)) {
      hider.input().set(part);
      understand(hider.learn(part.length));
    }
    yield piece;
  }
  understand(hider.endFile());
}

async function* hiding(hider: NameHider, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    for (const part of inParts(piece)) {
      hider.input().set(part);
      understand(hider.hide(part.length));
      yield hider.output().slice() as Piece;
    }
  }
  understand(hider.endHiding());
  yield hider.output().slice() as Piece;
}

async function hiddenText(hider: NameHider, text: string): Promise<string> {
  const parts: Piece[] = [];
  for await (const piece of hiding(hider, piecesOf(storeOf(new Blob([text]))))) parts.push(piece);
  return new Blob(parts).text();
}

function* inParts(piece: Piece): Generator<Piece> {
  for (let at = 0; at < piece.length; at += pieceSize) yield piece.subarray(at, at + pieceSize);
}

function understand(answer: string): void {
  if (answer !== '') throw new CoreError((JSON.parse(answer) as { error: string }).error);
}
