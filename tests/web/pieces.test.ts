import { describe, expect, it } from 'vitest';
import { pieceSize, piecesOf, storeOf } from '../../web/engine/pieces';

/**
 * A large file whose stream gives its first 1,000 bytes and then nothing any more, neither a byte
 * nor an end.
 */
function stoppingFile(content: Uint8Array<ArrayBuffer>): Blob {
  const file = new Blob([content]);
  const slice = file.slice.bind(file);
  file.slice = (begin, end) => {
    const part = slice(begin, end);
    let given = false;
    part.stream = () =>
      new ReadableStream({
        type: 'bytes',
        pull(controller) {
          if (!given) controller.enqueue(content.slice(0, 1000));
          given = true;
          return new Promise(() => undefined);
        },
      });
    return part;
  };
  return file;
}

describe('pieces of a file', () => {
  it('come another way when its stream stops', async () => {
    const content = Uint8Array.from({ length: pieceSize + 5000 }, (_, i) => i % 251);
    const seen: number[] = [];
    const bytes = new Uint8Array(content.length);
    let at = 0;
    for await (const piece of piecesOf(storeOf(stoppingFile(content)))) {
      seen.push(piece.length);
      bytes.set(piece, at);
      at += piece.length;
    }
    expect(seen).toEqual([1000, pieceSize, 4000]);
    expect(Buffer.compare(bytes, content)).toBe(0);
  });
});
