import { describe, expect, it } from 'vitest';
import {
  boundsText,
  type CorePart,
  coreTimes,
  partColour,
  partTexture,
  rowTitle,
  timeOf,
} from '../../web/domain/coreTime';
import { workerLabel } from '../../web/domain/workers';
import { coreTimeScale } from '../../web/plot/format';

const part = (kind: string, more: Partial<CorePart> = {}): CorePart => ({
  id: kind,
  parent: '',
  depth: 1,
  label: kind,
  kind,
  core_seconds: 1,
  share: 1,
  least: 1,
  most: 1,
  on_cpu: 0,
  waiting: 0,
  split_measured: 0,
  blocked: 0,
  uncertain: 0,
  certainty: 'measured',
  note: '',
  category: '',
  file: '',
  line: Number.NaN,
  samples: Number.NaN,
  children: 0,
  begin: 0,
  end: 1,
  ...more,
});
const noDataset = () => '--c-rest';

describe('amounts of core-time', () => {
  it('that are compared have one unit', () => {
    expect(coreTimes(62_730, 471_600)).toEqual(['17.4\u2009core-h', '131\u2009core-h']);
    expect(coreTimes(1, 2)).toEqual(['1.00\u2009core-s', '2.00\u2009core-s']);
    expect(coreTimes(Number.NaN, 360_000)[1]).toBe('100\u2009core-h');
  });

  it('have their bounds in the unit of the part', () => {
    expect(boundsText({ core_seconds: 360_000, least: 180_000, most: 720_000 })).toBe('[50.0–200]');
    expect(boundsText({ core_seconds: 24, least: 23.1, most: 25.4 })).toBe('[23.1–25.4]');
  });
});

it('a function that may take very different times is said by its bounds, not by one of them', () => {
  const scale = coreTimeScale(10);
  const timed = (core_seconds: number, least: number, most: number) =>
    timeOf(part('function', { core_seconds, least, most }), scale);
  expect(timed(2.08, 1.23, 7)).toEqual(['1.2 to 7.0', '']);
  expect(timed(5.2, 5, 5.6)).toEqual(['5.20', ' (5.00 to 5.60)']);
  expect(timed(5, 4.9, 5.1)).toEqual(['5.00', '']);
});

describe('parts of the core-time', () => {
  it('have one colour for one meaning', () => {
    expect(partColour(part('inside_process'), noDataset)).toBe('--ph-process');
    expect(partColour(part('outside_process'), noDataset)).toBe('--ph-outside');
    expect(partColour(part('library', { category: 'awkward' }), noDataset)).toBe('--pk-awk');
    expect(partColour(part('activity', { label: 'thread-cpu' }), noDataset)).toBe('--act-cpu');
    expect(partColour(part('dataset', { label: 'x' }), (name) => `of ${name}`)).toBe('of x');
  });

  it('are hatched where idle or not known, crossed where lost', () => {
    expect(partTexture(part('idle'))).toBe('hatched');
    expect(partTexture(part('library', { certainty: 'not known' }))).toBe('hatched');
    expect(partTexture(part('lost_work'))).toBe('crossed');
    expect(partTexture(part('function', { certainty: 'sampled' }))).toBe('solid');
  });

  it('call a worker by its name, its number or its port', () => {
    expect(workerLabel(undefined, '3')).toBe('worker 3');
    expect(workerLabel(undefined, 'tcp://10.0.0.1:1001')).toBe('worker :1001');
    expect(workerLabel(undefined, 'gpu-1')).toBe('gpu-1');
  });

  it('name their row by the first of it', () => {
    const row = [part('function'), part('idle_cause')];
    expect(rowTitle(row)).toEqual(['Your function', 'profile']);
  });
});
