/**
 * Runs on their way out of the page: the files they were read from, packed, and if wanted without
 * names of people.
 */
import type { NameHider } from 'crema-core/crema.js';
import { download } from './downloads';
import { CoreError, type InputFile, type Packed } from './engine';
import { DamagedArchive, gunzip, inParts, type Piece, streamOf } from './pieces';
import type { SourcePolicy } from './sourcePolicy';
import { filesIn, type Given } from './sources';

export interface Part {
  /** what was opened together, as it was opened */
  given: Given[];
  urls: string[];
  /** of each run that is wanted, the keys of its files (SourceFile.key) */
  runs: ReadonlySet<string>[];
}

/**
 * The files of `parts`, those of each run with a number of their own, and `text`; through `hider`,
 * when there is one.
 */
export async function packed(
  parts: readonly Part[],
  text: string,
  policy: SourcePolicy,
  hider?: NameHider,
): Promise<Packed> {
  const files: PackedFile[] = [];
  let runs = 0;
  for (const part of parts) {
    const given = [...part.given, ...(await download(part.urls)).map((one) => one.given)];
    let sources = 0;
    // what could not be had when it was opened is missing here, too
    const begin = () => sources++;
    const sink = {
      beginSource: begin,
      beginSingleFiles: begin,
      missFile: () => undefined,
      missRest: () => undefined,
    };
    const seen = new Set<string>();
    for await (const { key, shown, pieces } of filesIn(given, policy, sink)) {
      const run = part.runs.findIndex((keys) => keys.has(key));
      if (run < 0) continue;
      seen.add(key);
      const whole = upToFault(pieces);
      const bytes = await gzip(hider ? learning(hider, whole) : whole);
      files.push({ path: shown, source: runs + run, bytes });
    }
    if (part.runs.some((keys) => [...keys].some((key) => !seen.has(key))))
      throw new CoreError(
        'some files cannot be read or fetched again, or have changed: open the run again',
      );
    runs += part.runs.length;
  }
  if (!hider) return { files: files.map(inputFile), text };
  // a user may be known only by the last file
  for (const file of files) {
    file.bytes = await gzip(hiding(hider, gunzip(once(file.bytes))));
    file.path = await hiddenText(hider, file.path);
  }
  return { files: files.map(inputFile), text: await hiddenText(hider, text) };
}

interface PackedFile {
  path: string;
  source: number;
  bytes: Piece;
}

const inputFile = ({ bytes, ...file }: PackedFile): InputFile => ({
  ...file,
  data: new Blob([bytes]),
});

/** Bytes, not a Blob: from file: WebKit's workers cannot read even the blobs that they make. */
async function gzip(pieces: AsyncIterable<Piece>): Promise<Piece> {
  const packed = streamOf(pieces).pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** A file that was read in part goes along in part. */
async function* upToFault(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (problem) {
    if (!(problem instanceof DamagedArchive)) throw problem;
  }
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
