/** The fixed colours and names of Dask's activities; a user's own take a colour by their name. */

const colours: Record<string, string> = {
  'thread-cpu': '--act-cpu',
  'thread-noncpu': '--act-wait',
  serialize: '--act-ser',
  deserialize: '--act-ser',
  compress: '--act-codec',
  decompress: '--act-codec',
  'disk-read': '--act-disk',
  'disk-write': '--act-disk',
  network: '--act-net',
  executor: '--act-exec',
  offload: '--act-exec',
  failed: '--act-fail',
  cancelled: '--act-fail',
  busy: '--act-fail',
  missing: '--act-fail',
  other: '--act-other',
  'memory-read': '--act-other',
};

const labels: Record<string, string> = {
  'thread-cpu': 'on a CPU (thread-cpu)',
  'thread-noncpu': 'waiting (thread-noncpu)',
  executor: 'handing over (executor)',
  other: 'unexplained (other)',
  serialize: 'packing (serialize)',
  deserialize: 'unpacking (deserialize)',
  'disk-read': 'back from disk (disk-read)',
  'disk-write': 'to disk (disk-write)',
};

/** What each is, in words of somebody who does not know Dask. */
const meanings: Record<string, string> = {
  'thread-cpu': 'running on a CPU',
  'thread-noncpu': 'waiting: for data, a lock, or a free CPU',
  executor: 'Dask handing the task to a thread',
  other: 'time Dask does not explain',
  'disk-read': 'Dask moving results from disk, not your input files',
  'disk-write': 'Dask moving results to disk, not your input files',
  'memory-read': 'inputs of a task found in memory',
  serialize: 'packing results for sending',
  deserialize: 'unpacking results that were sent',
  network: 'sending results between workers',
};

export const activityMeaning = (activity: string): string | undefined => meanings[plain(activity)];

/** Prefixes of p2p activities: "p2p-x" looks as x does. */
const plain = (activity: string): string => activity.replace(/^p2p-/, '');

export function activityColour(activity: string): string {
  const known = colours[plain(activity)];
  if (known) return known;
  let hash = 0;
  for (const character of activity) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return `--c${(hash % 8) + 1}`;
}

export const activityLabel = (activity: string): string => labels[plain(activity)] ?? activity;

/** Dask's own idle time, by subtraction: no function, no activity. */
export const isIdleActivity = (activity: string): boolean => /^idle/.test(activity);

/** The order in which activities are stacked: the same in every row. */
const order = Object.keys(colours);

export function activityRank(activity: string): number {
  const place = order.indexOf(plain(activity));
  return place < 0 ? order.length : place;
}
