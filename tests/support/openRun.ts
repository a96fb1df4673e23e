import type { OpenRun } from '../../web/state/runs';

/** An open run of which only what `is` says matters. */
export const openRun = (id: number, is: Partial<OpenRun> = {}): OpenRun => ({
  id,
  title: `run ${id}`,
  run: id,
  source_files: '',
  schema: '',
  workers: 1,
  started_at: id,
  started_naive: id,
  time_zone_offset: 0,
  clock_basis: '',
  elapsed: 1,
  chunks: 1,
  recorded_at: '',
  bytes: 1,
  digest: 0,
  damaged: 0,
  running: 0,
  readSeconds: 1,
  strayNotes: [],
  contents: [],
  origin: { files: [], urls: [] },
  partialNotes: [],
  ...is,
});

/** One that came from an address. */
export const runFrom = (id: number, url: string): OpenRun =>
  openRun(id, { origin: { files: [], urls: [url] } });
