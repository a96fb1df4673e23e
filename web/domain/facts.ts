import { type Row, rowsOf, type Table } from '../engine/table';
import {
  bytesPart,
  coreTimePart,
  countPart,
  durationParts,
  fixed,
  memoryPart,
  type Part,
  partsText,
  percentPart,
  scaled,
  significant,
} from '../plot/format';

/** A headline number. Its `stored` is the bundle's own; `whole_run`: no selection narrows it. */
export type Fact = Row<'summary'>;

const byTable = new WeakMap<Table<'summary'>, Map<string, Fact>>();

/** The fact `id`; undefined when the answer has no such row. */
export function factOf(table: Table<'summary'>, id: string): Fact | undefined {
  let facts = byTable.get(table);
  if (!facts) {
    facts = new Map(rowsOf(table).map((fact) => [fact.id, fact]));
    byTable.set(table, facts);
  }
  return facts.get(id);
}

/** Fractions that are not shares of a whole and would mislead as percent. */
const timesIds = new Set(['speedup_factor']);
/** Memory of processes is IEC; `memory-read` is a volume of data. */
const isProcessMemory = (id: string) => /memory/.test(id) && !/memory_read/.test(id);
const isCoreTime = (id: string) => /core_seconds/.test(id);

/** Units that the ids of the bundle's own numbers name, as (factor to the base, base). */
const scalable: Record<string, { factor: number; base: string; suffix: string }> = {
  Hz: { factor: 1, base: 'Hz', suffix: '' },
  kHz: { factor: 1e3, base: 'Hz', suffix: '' },
  'kHz/core': { factor: 1e3, base: 'Hz', suffix: '' },
  Mbps: { factor: 1e6, base: 'bps', suffix: '' },
  Gbps: { factor: 1e9, base: 'bps', suffix: '' },
  'MB/s': { factor: 1e6, base: 'B', suffix: '/s' },
  'byte/s': { factor: 1, base: 'B', suffix: '/s' },
};

/** The value of a fact for people, whatever its unit. */
export function factParts(fact: Pick<Fact, 'id' | 'unit'>, value: number): Part[] {
  if (!Number.isFinite(value)) return [{ value: '–', unit: '' }];
  const prefixed = scalable[fact.unit];
  if (prefixed) {
    const part = scaled(value * prefixed.factor, prefixed.base, 1000, ['', 'k', 'M', 'G', 'T']);
    return [{ value: part.value, unit: part.unit + prefixed.suffix }];
  }
  switch (fact.unit) {
    case 's':
      return isCoreTime(fact.id) ? [coreTimePart(value)] : durationParts(value);
    case 'core-s':
      return [coreTimePart(value)];
    case 'byte':
      return [isProcessMemory(fact.id) ? memoryPart(value) : bytesPart(value)];
    case 'count':
      return [countPart(value)];
    case '1':
      return timesIds.has(fact.id)
        ? [{ value: significant(value), unit: '×' }]
        : [percentPart(value)];
    case '%':
      return [percentPart(value / 100)];
    case '':
      return [{ value: significant(value), unit: '' }];
    default:
      return [{ value: significant(value), unit: fact.unit }];
  }
}

export const factText = (fact: Fact): string => partsText(factParts(fact, fact.value));

/** Full precision, for tooltips. */
export function exactText(value: number, unit: string): string {
  const digits = Number.isInteger(value) ? fixed(value, 0) : String(Number(value.toPrecision(10)));
  const shownUnit = unit === 'count' || unit === '1' ? '' : unit === 'byte' ? 'B' : unit;
  return shownUnit ? `${digits}\u2009${shownUnit}` : digits;
}

/** The bundle's own value differs by more than rounding. */
export const differs = (fact: Fact): boolean => fact.stored_differs === 1;
