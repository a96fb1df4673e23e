import { rowsOf, type Table } from '../engine/table';

/** host and port of "tcp://host:port" */
const placeOf = (address: string): readonly [host: string, port: string] => {
  const bare = address.replace(/^[a-z+]+:\/\//, '');
  const colon = bare.lastIndexOf(':');
  return colon < 0 ? [bare, ''] : [bare.slice(0, colon), bare.slice(colon + 1)];
};

/**
 * A worker as people call it, by one rule for all of a run: Dask's names where every worker has one,
 * else ports, and with their hosts where these differ. `workers` answers the question of that name;
 * `worker` is an address, or the name that the core calls it by.
 */
export function workerLabel(workers: Table<'workers'> | undefined, worker: string): string {
  const all = rowsOf(workers);
  const row = all.find((one) => one.worker === worker || one.name === worker);
  const name = row?.[all.every((one) => one.name) ? 'name' : 'worker'] || worker;
  // Dask names local workers by number, and others by their address
  if (/^\d+$/.test(name)) return `worker ${name}`;
  if (!name.includes('://')) return name;
  const [host, port] = placeOf(name);
  if (!port) return host;
  return all.some((one) => placeOf(one.worker)[0] !== host) ? `${host}:${port}` : `worker :${port}`;
}
