import type { Table } from '../engine/table';

/** host and port of "tcp://host:port" */
const placeOf = (address: string): readonly [host: string, port: string] => {
  const bare = address.replace(/^[a-z+]+:\/\//, '');
  const colon = bare.lastIndexOf(':');
  return colon < 0 ? [bare, ''] : [bare.slice(0, colon), bare.slice(colon + 1)];
};

interface Names {
  /** of each address and name */
  rows: Map<string, number>;
  /** what all of them are called by */
  column: 'name' | 'worker';
  hosts: Set<string>;
}

const known = new WeakMap<Table, Names>();

function namesOf(workers: Table): Names {
  const before = known.get(workers);
  if (before) return before;
  const texts = (column: 'name' | 'worker') =>
    Array.from({ length: workers.rows }, (_, row) => workers.text(column, row) ?? '');
  const [addresses, names] = [texts('worker'), texts('name')];
  const made: Names = {
    rows: new Map([...addresses.entries(), ...names.entries()].map(([row, text]) => [text, row])),
    column: names.every(Boolean) ? 'name' : 'worker',
    hosts: new Set(addresses.map((address) => placeOf(address)[0])),
  };
  known.set(workers, made);
  return made;
}

/**
 * A worker as people call it, by one rule for all of a run: Dask's names where every worker has one,
 * else ports, and with their hosts where these differ. `workers` answers the question of that name;
 * `worker` is an address, or the name that the core calls it by.
 */
export function workerLabel(workers: Table | undefined, worker: string): string {
  const of = workers && namesOf(workers);
  const row = of?.rows.get(worker);
  const name = (row !== undefined && of && workers.text(of.column, row)) || worker;
  // Dask names local workers by number, and others by their address
  if (/^\d+$/.test(name)) return `worker ${name}`;
  if (!name.includes('://')) return name;
  const [host, port] = placeOf(name);
  if (!port) return host;
  return of && (of.hosts.size > 1 || (of.hosts.size === 1 && !of.hosts.has(host)))
    ? `${host}:${port}`
    : `worker :${port}`;
}
