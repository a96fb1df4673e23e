import type { Table } from '../engine/table';

/** host and port of "tcp://host:port" */
const placeOf = (address: string): readonly [host: string, port: string] => {
  const bare = address.replace(/^[a-z+]+:\/\//, '');
  const colon = bare.lastIndexOf(':');
  return colon < 0 ? [bare, ''] : [bare.slice(0, colon), bare.slice(colon + 1)];
};

/**
 * A worker as people call it: its name, else what of its address tells it from the others, which on
 * one host is the port. `workers` answers the question of that name.
 */
export function workerLabel(workers: Table, address: string): string {
  const row = workers.rowOf('worker', address);
  const name = row < 0 ? undefined : workers.text('name', row);
  // Dask names local workers by number
  if (name && /^\d+$/.test(name)) return `worker ${name}`;
  // and others by their address
  if (name && name !== address) return name;
  const [host, port] = placeOf(address);
  if (!port) return host;
  for (let other = 0; other < workers.rows; other += 1)
    if (placeOf(workers.text('worker', other) ?? '')[0] !== host) return `${host}:${port}`;
  return `port ${port}`;
}
