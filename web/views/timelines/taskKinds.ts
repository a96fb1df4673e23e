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
 * What a record is coloured by: a chunk by its dataset, another computation by its prefix, one whose
 * result was lost and another action by itself, an error as such. Those of other workers than
 * `workers` are pale.
 */
export function taskKinds(
  table: Table<'tasks'>,
  processor: string,
  workers: readonly string[] | undefined,
  colourOf: (dataset: string) => string,
): { colours: Uint32Array; kinds: Kind[] } {
  const [prefix, action, status, worker] = (['prefix', 'action', 'status', 'worker'] as const).map(
    (name) => table.texts(name),
  ) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const lost = table.numbers('lost');
  const others = [...new Set(prefix)]
    .map((id) => table.strings[id] ?? '')
    .filter((name) => name !== processor)
    .sort();
  const describe = (row: number) => {
    const of = table.text('prefix', row) ?? '';
    const done = table.text('action', row) ?? '';
    if ((table.text('status', row) ?? 'OK') !== 'OK') return ['failed', '--act-fail'] as const;
    if (lost[row] === 1) return ['repeated', '--ph-lost'] as const;
    if (done !== 'compute') return [done, actionColours[done] ?? '--act-other'] as const;
    const dataset = table.text('dataset', row);
    if (dataset) {
      const own = colourOf(dataset);
      return [own === '--c-rest' ? 'other datasets' : dataset, own] as const;
    }
    const ownColour = palette[others.indexOf(of)] ?? '--pk-oth';
    return [of, of === processor ? '--ph-process' : ownColour] as const;
  };
  const kinds = new Map<string, Kind>();
  const colours = new Uint32Array(table.rows);
  const alike = [prefix, action, status, lost, table.texts('dataset')];
  const ghost = pixelOf('--line-2');
  let kind: Kind | undefined;
  let pixel = ghost;
  for (let row = 0; row < table.rows; row += 1) {
    // most records are like the one before
    if (!kind || alike.some((values) => values[row] !== values[row - 1])) {
      const [label, colour] = describe(row);
      kind = kinds.get(label) ?? { label, colour, count: 0 };
      kinds.set(label, kind);
      pixel = pixelOf(kind.colour);
    }
    kind.count += 1;
    const isGhost = workers && !workers.includes(table.strings[worker[row] as number] ?? '');
    colours[row] = isGhost ? ghost : pixel;
  }
  // few, and what one looks for
  const first = ({ colour }: Kind) => Number(['--act-fail', '--ph-lost'].includes(colour));
  return {
    colours,
    kinds: [...kinds.values()].sort((a, b) => first(b) - first(a) || b.count - a.count),
  };
}
