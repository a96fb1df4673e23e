import { fixed } from '../../plot/format';
import type { CheckItem } from '../../views/common/CheckList';

/**
 * What there is of a dimension. A run may have a hundred thousand files: they are listed when
 * somebody looks.
 */
export interface Choices {
  total: number;
  items: () => readonly CheckItem[];
}

/** What a chip says of its dimension: "all 8", the one name, "3 of 8". */
export function filterValue({ total, items }: Choices, chosen: readonly string[] = []): string {
  if (chosen.length === 0) return total > 0 ? `all ${fixed(total, 0)}` : 'all';
  const known = items().filter((item) => chosen.includes(item.id));
  // a link can name what this run does not have
  if (known.length === 0) return total > 0 ? `none of ${fixed(total, 0)}` : (chosen[0] ?? '');
  if (known.length === 1 && total > 1) return shortened(known[0]?.label ?? '');
  return `${fixed(known.length, 0)} of ${fixed(total, 0)}`;
}

/** The end of a path or address says which it is. */
const shortened = (name: string): string => (name.length > 26 ? `…${name.slice(-25)}` : name);
