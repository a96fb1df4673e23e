/** Runs on their way out of the page: the files they were read from, packed, and if wanted without names of people. */
import type { NameHider } from 'crema-core/crema.js';
import { download } from './downloads';
import { CoreError, type InputFile, type Packed } from './engine';
import { gunzip, inParts, type Piece, type Store, streamOf } from './pieces';
import { filesIn, type Source } from './sources';

export interface Part {
  stores: { path: string; store: Store }[];
  urls: string[];
  /** of the files that are wanted, as the core knows them: unpacked */
  paths: ReadonlySet<string>;
}

/** The files of `parts` and `text`; through `hider`, when there is one. */
export async function packed(parts: Part[], text: string, hider?: NameHider): Promise<Packed> {
  const files: { path: string; bytes: Piece }[] = [];
  for (const [index, { stores, urls, paths }] of parts.entries()) {
    const sources: Source[] = [...stores, ...(await download(urls)).map((one) => one.source)];
    for (const source of sources) {
      for await (const { path, pieces } of filesIn(source)) {
        if (!paths.has(path)) continue;
        // loose files of several openings may be called alike
        const taken = files.some((file) => file.path === path);
        const bytes = await gzip(hider ? learning(hider, pieces) : pieces);
        files.push({ path: taken ? `${index + 1}/${path}` : path, bytes });
      }
    }
  }
  if (!hider) return { files: files.map(inputFile), text };
  // a user may be known only by the last file
  for (const file of files) {
    file.bytes = await gzip(hiding(hider, gunzip(once(file.bytes))));
    file.path = await hiddenText(hider, file.path);
  }
  return { files: files.map(inputFile), text: await hiddenText(hider, text) };
}

const inputFile = ({ path, bytes }: { path: string; bytes: Piece }): InputFile => ({ path, data: new Blob([bytes]) });

/** Bytes, not a Blob: from file: WebKit's workers cannot read even the blobs that they make. */
async function gzip(pieces: AsyncIterable<Piece>): Promise<Piece> {
  const packed = streamOf(pieces).pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

async function* once(bytes: Piece): AsyncGenerator<Piece> {
  yield bytes;
}

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
  let hidden = '';
  const decoder = new TextDecoder();
  for await (const piece of hiding(hider, once(new TextEncoder().encode(text) as Piece)))
    hidden += decoder.decode(piece, { stream: true });
  return hidden + decoder.decode();
}

function understand(answer: string): void {
  if (answer !== '') throw new CoreError((JSON.parse(answer) as { error: string }).error);
}
