import {
  bytes,
  type CoreTimeScale,
  coreTimeScale,
  coreTimeValue,
  count,
  significant,
} from '../../plot/format';

/** How a unit of the fine metrics is printed in tables: the column's unit, and a value in it. */
export interface FineUnit {
  title: string;
  text: (value: number) => string;
}

/** Below it are only digits of noise. */
const least = 0.001;

const seenValue = (value: number, scale: CoreTimeScale): string =>
  value > 0 && value < least * scale.divisor ? `<\u2009${least}` : coreTimeValue(value, scale);

export function fineUnit(unit: string, scale = coreTimeScale(0)): FineUnit {
  switch (unit) {
    case 'seconds':
      return { title: scale.unit, text: (value) => seenValue(value, scale) };
    case 'bytes':
      return { title: 'bytes', text: bytes };
    case 'count':
      return { title: 'count', text: count };
    default:
      return { title: unit, text: significant };
  }
}
