import { commonFolder } from '../../engine/commonFolder';
import type { Table } from '../../engine/table';
import { coreTime, count, percent } from '../../plot/format';
import type { CheckItem } from './CheckList';

/** The rows of `datasets`, `files` or `hosts` to choose from. */
export function groupItems(table: Table | undefined): CheckItem[] {
  const names = Array.from(
    { length: table?.rows ?? 0 },
    (_, row) => table?.text('name', row) ?? '',
  );
  const shared = commonFolder(names).length;
  return names.map((name, row) => {
    const chunks = table?.number('chunks', row) ?? Number.NaN;
    const seconds = table?.number('seconds', row) ?? Number.NaN;
    const detail = [
      Number.isFinite(chunks) && `${count(chunks)} ${chunks === 1 ? 'chunk' : 'chunks'}`,
      Number.isFinite(seconds) && coreTime(seconds),
    ];
    return { id: name, label: name.slice(shared), detail: detail.filter(Boolean).join(' · ') };
  });
}

/** The rows of `workers`: known by address, called by name where they have one. */
export function workerItems(table: Table | undefined): CheckItem[] {
  return Array.from({ length: table?.rows ?? 0 }, (_, row) => {
    const address = table?.text('worker', row) ?? '';
    const name = table?.text('name', row) ?? '';
    const cpu = table?.has('cpu_mean') ? table.number('cpu_mean', row) : Number.NaN;
    return {
      id: address,
      label: name && name !== address ? `${name} · ${address}` : address,
      detail: Number.isFinite(cpu) ? `CPU ${percent(cpu)}` : '',
    };
  });
}
