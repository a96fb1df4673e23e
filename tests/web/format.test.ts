import { describe, expect, it } from 'vitest';
import { fullSentence } from '../../web/domain/sentenceCase';
import {
  bytes,
  columnDecimals,
  columnUnit,
  coreTime,
  coreTimeScale,
  count,
  dateTime,
  duration,
  durationBeside,
  durationRange,
  fixed,
  memory,
  percent,
  signed,
  significant,
  unbroken,
} from '../../web/plot/format';

const thin = '\u2009';
const minus = '\u2212';

describe('numbers', () => {
  it('groups thousands and uses a true minus', () => {
    expect(fixed(1234567, 0)).toBe('1,234,567');
    expect(fixed(-4.74, 2)).toBe(`${minus}4.74`);
    expect(fixed(-0.004, 2)).toBe('0.00');
    expect(fixed(1000.5, 1)).toBe('1,000.5');
  });

  it('keeps three significant digits and the whole part', () => {
    expect(significant(15969.3)).toBe('15,969');
    expect(significant(23.17)).toBe('23.2');
    expect(significant(0.0123456)).toBe('0.0123');
    expect(significant(99.96)).toBe('100');
    expect(significant(0)).toBe('0');
    expect(significant(Number.NaN)).toBe('–');
  });

  it('counts exactly below a million', () => {
    expect(count(999999)).toBe('999,999');
    expect(count(2139123)).toBe(`2.14${thin}M`);
    expect(count(794302118)).toBe(`794.3${thin}M`);
    expect(count(0)).toBe('0');
  });
});

describe('units', () => {
  it('prints data in powers of 1000 and memory in powers of 1024', () => {
    expect(bytes(457028335)).toBe(`457${thin}MB`);
    expect(bytes(2 ** 30)).toBe(`1.07${thin}GB`);
    expect(memory(2 ** 30)).toBe(`1.00${thin}GiB`);
    expect(memory(273494016)).toBe(`261${thin}MiB`);
    expect(bytes(999999)).toBe(`1.00${thin}MB`);
    expect(bytes(0)).toBe(`0${thin}B`);
  });

  it('prints core time in seconds, then in hours', () => {
    expect(coreTime(34275)).toBe(`9.52${thin}core-h`);
    expect(coreTime(360000)).toBe(`100${thin}core-h`);
    // of a run whose cores nobody recorded
    expect(coreTimeScale(Number.NaN).unit).toBe('core-s');
  });
});

describe('durations', () => {
  it.each([
    [0, `0${thin}s`],
    [0.000012, `12.0${thin}µs`],
    [0.0123, `12.3${thin}ms`],
    [0.9999, `1.00${thin}s`],
    [3.67, `3.67${thin}s`],
    [114.3, `1${thin}min 54.3${thin}s`],
    [59.96, `1${thin}min 0.0${thin}s`],
    [119.97, `2${thin}min 0.0${thin}s`],
    [3599.96, `1${thin}h 00${thin}min`],
    [7500, `2${thin}h 05${thin}min`],
    [-114.3, `${minus}1${thin}min 54.3${thin}s`],
    [Number.NaN, '–'],
  ])('%d s', (seconds, text) => expect(duration(seconds)).toBe(text));
});

describe('percentages', () => {
  it.each([
    [0, `0${thin}%`],
    [0.0004, `<${thin}0.1${thin}%`],
    [0.466, `46.6${thin}%`],
    [1, `100.0${thin}%`],
    [3.378, `337.8${thin}%`],
    [-0.05, `${minus}5.0${thin}%`],
  ])('%d', (fraction, text) => expect(percent(fraction)).toBe(text));
});

describe('columns', () => {
  it('take the decimals that their largest number needs', () => {
    expect(columnDecimals([1, 2, 3])).toBe(0);
    expect(columnDecimals([1.5, 2000.1])).toBe(0);
    expect(columnDecimals([0.5, 12.1])).toBe(2);
    expect(columnDecimals([0.05, Number.NaN])).toBe(4);
  });
});

it('writes dates as logs do', () => {
  expect(dateTime(1795225368.2)).toBe('2026-11-21 01:42');
  expect(dateTime(Number.NaN)).toBe('');
});

describe('differences', () => {
  it('have their sign at the number', () => {
    expect(signed(percent(0.032), 0.032)).toBe(`+3.2${thin}%`);
    expect(signed(percent(0.0003), 0.0003)).toBe(`<${thin}+0.1${thin}%`);
    expect(signed(percent(-0.0003), -0.0003)).toBe(`>${thin}${minus}0.1${thin}%`);
    expect(signed(percent(0), 0)).toBe(`0${thin}%`);
  });
});

describe('sentences', () => {
  it('begin with a capital and end with one full stop', () => {
    expect(fullSentence('the file is empty')).toBe('The file is empty.');
    expect(fullSentence('The requested file could not be read.')).toBe(
      'The requested file could not be read.',
    );
    expect(fullSentence('process() was not called')).toBe('process() was not called.');
  });
});

describe('a column of a table', () => {
  it('is in one unit that suits its largest value', () => {
    expect(columnUnit([7.94212652e-6, Number.NaN], 's')).toEqual({ divisor: 1e-6, unit: 'µs' });
    expect(columnUnit([0.02, 0.5], 's')).toEqual({ divisor: 1e-3, unit: 'ms' });
    expect(columnUnit([0.02, 5], 's')).toEqual({ divisor: 1, unit: 's' });
    expect(columnUnit([4_494_180], 'byte/s')).toEqual({ divisor: 1e6, unit: 'MB/s' });
    expect(columnUnit([3], 'count')).toEqual({ divisor: 1, unit: 'count' });
    expect(columnUnit([0], 's')).toEqual({ divisor: 1, unit: 's' });
  });
});

it('a range has one unit where both ends have the same', () => {
  expect(durationRange(8.72, 12.9)).toBe(`8.72–12.9${thin}s`);
  expect(durationRange(0.5, 12.9)).toBe(`500${thin}ms – 12.9${thin}s`);
  expect(durationRange(56.9, 97.4)).toBe(`56.9${thin}s – 1${thin}min 37.4${thin}s`);
});

it('times beside one of less than a minute are of seconds, too', () => {
  const say = durationBeside(37.3, 99.8);
  expect([say(37.3), say(65.9)]).toEqual([`37.3${thin}s`, `65.9${thin}s`]);
  expect(durationRange(40.1, 99.8, say)).toBe(`40.1–99.8${thin}s`);
  expect(durationBeside(70.5, 99.8)(70.5)).toBe(`1${thin}min 10.5${thin}s`);
  // an hour in seconds is no number to read
  expect(durationBeside(37.3, 3600)(3600)).toBe(`1${thin}h 00${thin}min`);
  expect(durationBeside(Number.NaN, 10)(0.5)).toBe(`500${thin}ms`);
});

it('no line ends between a number and its unit', () => {
  expect(unbroken('64.3 % of 2 files')).toBe('64.3\u00a0% of 2\u00a0files');
  expect(unbroken('9 core-s')).toBe('9\u00a0core\u2060-\u2060s');
});
