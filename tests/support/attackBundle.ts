/** A bundle whose every string would run a script, were it ever taken for markup. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attacks, metricsNamed } from './hostileByHand';

/**
 * The same attack for the same name, each name its own; Dask's identifiers are cut at some
 * characters, so some get none.
 */
const attackFor = (what: string): string => {
  const place = [...what].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  return `${attacks[place % attacks.length]} ${what}`;
};

interface ProfileNode {
  count: number;
  identifier: string;
  description: { filename: string; name: string; line_number: number; line: string };
  children: Record<string, ProfileNode>;
}

function profile(depth: number, count: number): ProfileNode {
  const name = attackFor(`frame ${depth}`);
  const filename = attackFor(`file ${depth}`);
  const identifier = `${name};${filename};${depth}`;
  const child = depth < attacks.length ? profile(depth + 1, count - 1) : undefined;
  return {
    count,
    identifier,
    description:
      depth === 0
        ? { filename: '', name: '', line_number: 0, line: '' }
        : { filename, name, line_number: depth, line: attackFor('line') },
    children: child ? { [child.identifier]: child } : {},
  };
}

/** Writes it into `parent`; returns its folder. */
export async function writeAttackBundle(parent: string): Promise<string> {
  // no file system allows more in a name
  const folder = join(parent, '<img src=x onerror=globalThis.attacked=1>');
  await mkdir(folder, { recursive: true });
  const metrics = metricsNamed(attackFor);
  const workers = Object.keys((metrics.tracking_data as Record<string, object>).worker_cores ?? {});
  const files: Record<string, unknown> = {
    'metrics.json': metrics,
    'profile_merged.json': profile(0, 50),
    'scheduler_info.json': {
      type: 'Scheduler',
      id: attackFor('scheduler'),
      address: attackFor('address'),
      workers: Object.fromEntries(
        workers.map((address) => [
          address,
          {
            type: 'Worker',
            id: attackFor('id'),
            name: attackFor('worker'),
            host: attackFor('host'),
            nthreads: 1,
            memory_limit: 1000,
          },
        ]),
      ),
    },
    'report.json': {
      bytesread: 2_000_000,
      columns: [attackFor('branch'), attackFor('other')],
      entries: 1000,
      processtime: 6,
      chunks: 2,
    },
    'metadata.json': {
      timestamp: '2026-11-21T10:00:10',
      elapsed_time_seconds: 10,
      format: 'roastcoffea_measurement_v1',
    },
    'config.json': {
      [attackFor('key')]: attackFor('value'),
      nested: { [attackFor('deep')]: [attackFor('list')] },
    },
    '<b onmouseover=globalThis.attacked=1>.json': attackFor('stray'),
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content));
  return folder;
}
