import type { Table } from '../engine/table';

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
export function workerLabel(workers: Table | undefined, worker: string): string {
  const row = Math.max(
    workers?.rowOf('worker', worker) ?? -1,
    workers?.rowOf('name', worker) ?? -1,
  );
  const all = Array.from({ length: workers?.rows ?? 0 }, (_, at) => at);
  const isNamed = all.every((at) => workers?.text('name', at));
  const name = (row >= 0 && workers?.text(isNamed ? 'name' : 'worker', row)) || worker;
  // Dask names local workers by number, and others by their address
  if (/^\d+$/.test(name)) return `worker ${name}`;
  if (!name.includes('://')) return name;
  const [host, port] = placeOf(name);
  if (!port) return host;
  return all.some((at) => placeOf(workers?.text('worker', at) ?? '')[0] !== host)
    ? `${host}:${port}`
    : `worker :${port}`;
}
