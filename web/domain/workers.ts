import type { Table } from '../engine/table';

/** host and port of "tcp://host:port" */
const placeOf = (address: string): readonly [host: string, port: string] => {
  const bare = address.replace(/^[a-z+]+:\/\//, '');
  const colon = bare.lastIndexOf(':');
  return colon < 0 ? [bare, ''] : [bare.slice(0, colon), bare.slice(colon + 1)];
};

/**
 * A worker as people call it: its name, else what of its address tells it from the others, which on
 * one host is the port. `workers` answers the question of that name; `worker` is an address, or the
 * name that the core calls it by.
 */
export function workerLabel(workers: Table | undefined, worker: string): string {
  const row = workers?.rowOf('worker', worker) ?? -1;
  const name = (row < 0 ? undefined : workers?.text('name', row)) || worker;
  // Dask names local workers by number, and others by their address
  if (/^\d+$/.test(name)) return `worker ${name}`;
  if (!name.includes('://')) return name;
  const [host, port] = placeOf(name);
  if (!port) return host;
  for (let other = 0; other < (workers?.rows ?? 0); other += 1)
    if (placeOf(workers?.text('worker', other) ?? '')[0] !== host) return `${host}:${port}`;
  return `worker :${port}`;
}
