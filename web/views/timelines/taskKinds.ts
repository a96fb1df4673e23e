import type { Table } from '../../engine/table';
import { pixelOf } from '../../plot/pixels';

/** Datasets have colours of their own: other tasks are told apart by those of libraries. */
const palette = ['--ph-tasks', '--pk-awk', '--pk-num', '--pk-hist', '--pk-coffea', '--pk-io'];

const actionColours: Readonly<Record<string, string>> = {
  transfer: '--act-net',
  deserialize: '--act-ser',
  'disk-read': '--act-disk',
  'disk-write': '--act-disk',
};

interface Kind {
  label: string;
  colour: string;
  count: number;
}

/**
 * What a record is coloured by: a computation by its prefix, one whose result was lost and another
 * action by itself, an error as such. Those of other workers than `workers` are pale.
 */
export function taskKinds(
  table: Table<'tasks'>,
  processor: string,
  workers: readonly string[] | undefined,
): { colours: Uint32Array; kinds: Kind[] } {
  const rows = Array.from({ length: table.rows }, (_, row) => row);
  const prefixes = [...new Set(rows.map((row) => table.text('prefix', row) ?? ''))]
    .filter((prefix) => prefix !== processor)
    .sort();
  const kinds = new Map<string, Kind>();
  const colours = Uint32Array.from(rows, (row) => {
    const action = table.text('action', row) ?? '';
    const prefix = table.text('prefix', row) ?? '';
    const place = prefixes.indexOf(prefix);
    const [label, colour] =
      (table.text('status', row) ?? 'OK') !== 'OK'
        ? ['failed', '--act-fail']
        : table.number('lost', row) === 1
          ? ['repeated', '--ph-lost']
          : action === 'compute'
            ? [prefix, prefix === processor ? '--ph-process' : (palette[place] ?? '--pk-oth')]
            : [action, actionColours[action] ?? '--act-other'];
    const kind = kinds.get(label) ?? { label, colour, count: 0 };
    kind.count += 1;
    kinds.set(label, kind);
    const isGhost = workers !== undefined && !workers.includes(table.text('worker', row) ?? '');
    return pixelOf(isGhost ? '--line-2' : colour);
  });
  return { colours, kinds: [...kinds.values()].sort((a, b) => b.count - a.count) };
}
