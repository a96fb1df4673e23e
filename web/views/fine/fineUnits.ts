import { bytes, coreTimeScale, coreTimeValue, count, significant } from '../../plot/format';

/** How a unit of the fine metrics is printed in tables: the column's unit, and a value in it. */
export interface FineUnit {
  title: string;
  text: (value: number) => string;
}

export function fineUnit(unit: string, scale = coreTimeScale(0)): FineUnit {
  switch (unit) {
    case 'seconds':
      return { title: scale.unit, text: (value) => coreTimeValue(value, scale) };
    case 'bytes':
      return { title: 'bytes', text: bytes };
    case 'count':
      return { title: 'count', text: count };
    default:
      return { title: unit, text: significant };
  }
}
