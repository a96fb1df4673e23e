/** A zip as a liar writes it: every field can say something else than what is there. */
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

export interface LyingEntry {
  name: string | Buffer;
  /** as it lies in the archive */
  packed: Buffer;
  /** 0 stored, 8 deflate, others unknown */
  method?: number;
  /** general purpose bits: 1 = encrypted */
  flags?: number;
  /** whether it says that its name is UTF-8 */
  utf8?: boolean;
  /** what the headers say */
  size?: number;
  packedSize?: number;
  crc?: number;
  /** Unix mode: 0o120777 = a link */
  mode?: number;
  /** the place of the local header that the directory names; absent: where it is */
  at?: number;
}

export interface LyingZip {
  /** how many entries the end says there are */
  count?: number;
  /** where the end says the directory is */
  directoryAt?: number;
}

function fields(...pairs: [bytes: number, value: number][]): Buffer {
  const out = Buffer.alloc(pairs.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of pairs) {
    out.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return out;
}

export function lyingZip(entries: LyingEntry[], lies: LyingZip = {}): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let length = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const { packed, method = 8, flags = 0, utf8 = true, crc = 0, mode = 0o100644 } = entry;
    const size = entry.size ?? packed.length;
    const packedSize = entry.packedSize ?? packed.length;
    const common = fields(
      [2, 20], // version needed
      [2, flags | (utf8 ? 0x800 : 0)],
      [2, method],
      [4, 0], // time
      [4, crc],
      [4, packedSize],
      [4, size],
      [2, name.length],
      [2, 0],
    );
    const at = entry.at ?? length;
    directory.push(
      Buffer.concat([
        fields([4, 0x02014b50], [2, (3 << 8) | 20]),
        common,
        fields([2, 0], [2, 0], [2, 0], [4, (mode << 16) >>> 0], [4, at]),
        name,
      ]),
    );
    if (entry.at !== undefined) continue;
    const local = Buffer.concat([fields([4, 0x04034b50]), common, name, packed]);
    parts.push(local);
    length += local.length;
  }
  const listed = Buffer.concat(directory);
  const count = lies.count ?? entries.length;
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, listed.length],
    [4, lies.directoryAt ?? length],
    [2, 0],
  );
  return Buffer.concat([...parts, listed, end]);
}

/** An honest entry. */
export function honest(name: string | Buffer, content: string | Buffer): LyingEntry {
  const bytes = Buffer.from(content as string);
  return { name, packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) };
}

const megabyte = 2 ** 20;

/**
 * `head`, then so many megabytes of `filler`, as deflate, without ever making them: one packed
 * megabyte, over and over.
 */
export async function deflatedBomb(
  head: string,
  filler: string,
  megabytes: number,
): Promise<Buffer> {
  const first = await flushed(Buffer.from(head));
  const each = await flushed(Buffer.alloc(megabyte, filler));
  return Buffer.concat([
    first,
    ...Array.from({ length: megabytes }, () => each),
    Buffer.from([3, 0]),
  ]);
}

/** Packed so that anything can follow. */
function flushed(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const packer = createDeflateRaw({ level: 9 });
    packer.on('data', (part: Buffer) => parts.push(part));
    packer.on('error', reject);
    packer.write(bytes);
    packer.flush(constants.Z_FULL_FLUSH, () => resolve(Buffer.concat(parts)));
  });
}

/** The same as a file of gzip; what it says of its length and sum is wrong. */
export function asGzip(deflated: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
    deflated,
    Buffer.alloc(8),
  ]);
}
