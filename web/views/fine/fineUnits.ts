import { bytesPart, count, fixed, partsText, significant } from '../../plot/format';

/** How a unit of the fine metrics is printed in tables: the column's unit, and a value in it. */
export interface FineUnit {
  title: string;
  text: (value: number) => string;
}

export function fineUnit(unit: string): FineUnit {
  switch (unit) {
    case 'seconds':
      return {
        title: 'core-s',
        text: (value) => (Math.abs(value) >= 1000 ? fixed(value, 0) : significant(value)),
      };
    case 'bytes':
      return { title: 'bytes', text: (value) => partsText([bytesPart(value)]) };
    case 'count':
      return { title: 'count', text: count };
    default:
      return { title: unit, text: significant };
  }
}
