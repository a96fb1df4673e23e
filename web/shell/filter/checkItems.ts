import { commonFolder } from '../../engine/commonFolder';
import { rowsOf, type Table } from '../../engine/table';
import { coreTime, count, listed, percent } from '../../plot/format';
import type { CheckItem } from '../../views/common/CheckList';

/** The rows of `datasets`, `files` or `hosts` to choose from. */
export function groupItems(table: Table<'datasets' | 'files' | 'hosts'> | undefined): CheckItem[] {
  const rows = rowsOf(table);
  const shared = commonFolder(rows.map(({ name }) => name)).length;
  return rows.map(({ name, chunks, seconds }) => {
    const detail = [
      Number.isFinite(chunks) && `${count(chunks)} ${chunks === 1 ? 'chunk' : 'chunks'}`,
      Number.isFinite(seconds) && coreTime(seconds),
    ];
    return { id: name, label: name.slice(shared), detail: listed(detail) };
  });
}

/** The rows of `workers`: known by address, called by name where they have one. */
export const workerItems = (table: Table<'workers'> | undefined): CheckItem[] =>
  rowsOf(table).map(({ worker, name, cpu_mean }) => ({
    id: worker,
    label: name && name !== worker ? `${name} · ${worker}` : worker,
    detail: Number.isFinite(cpu_mean) ? `CPU ${percent(cpu_mean)}` : '',
  }));
