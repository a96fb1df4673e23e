// What runs beside its peer in the same thread, under Node and in a browser's worker alike.
import { median } from './numbers.mjs';

/**
 * Reads bytes in memory into one more Run of `session`, piece by piece as the page does; throws
 * when there is none.
 */
export function openIn(session, bytes) {
  const file = session.addFile(0, 'metrics.json', bytes.length);
  const partSize = session.input().length;
  for (let at = 0; at < bytes.length; at += partSize) {
    const piece = bytes.subarray(at, at + partSize);
    session.input().set(piece);
    session.push(file, piece.length);
  }
  session.finishFile(file);
  const opened = session.finish(-1); // a new run, none that is renewed
  if (!JSON.parse(opened).runs) throw new Error(opened);
}

/** Bytes in memory to a finished Run. `Session` is the core's. */
export function openBytes(Session, bytes) {
  const session = new Session();
  try {
    openIn(session, bytes);
  } finally {
    session.delete();
  }
}

/** The peer: the same bytes through JSON.parse with decoding. */
export function parseBytes(bytes) {
  const document = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof document !== 'object') throw new Error('no document');
}

/**
 * What the one has left behind is not cleared away in the time of the other: V8 does that in
 * threads of its own.
 */
function milliseconds(work) {
  globalThis.gc?.();
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

/** Both, alternating; the medians in milliseconds. The first round warms up and does not count. */
export function compare(Session, bytes, rounds = 5) {
  const ours = [];
  const peer = [];
  for (let round = 0; round <= rounds; round++) {
    ours.push(milliseconds(() => openBytes(Session, bytes)));
    peer.push(milliseconds(() => parseBytes(bytes)));
  }
  return { ours: median(ours.slice(1)), peer: median(peer.slice(1)) };
}
