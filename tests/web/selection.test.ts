import { beforeEach, describe, expect, it } from 'vitest';
import { formatPermalink, parsePermalink } from '../../web/state/permalink';
import {
  clearDimension,
  clearSelection,
  isFiltered,
  parseSelection,
  select,
  selection,
  selectNames,
  selectTime,
  timeSelection,
  untimedSelection,
} from '../../web/state/selection';
import '../../web/views/views';

beforeEach(() => select({}));

describe('the selection', () => {
  it('is {} when nothing is selected, however it came to that', () => {
    select({ datasets: [], ranges: [] });
    expect(selection.value).toEqual({});
    selectNames('datasets', ['a']);
    selectNames('datasets', []);
    expect(selection.value).toEqual({});
    selectTime([1, 2]);
    selectTime(undefined);
    expect(selection.value).toEqual({});
    expect(isFiltered.value).toBe(false);
  });

  it('keeps each dimension apart from the others', () => {
    selectNames('datasets', ['a', 'b']);
    selectTime([1, 2]);
    selectNames('workers', ['w']);
    expect(selection.value).toEqual({ datasets: ['a', 'b'], time: [1, 2], workers: ['w'] });
    expect(timeSelection.value).toEqual([1, 2]);
    expect(untimedSelection.value).toEqual({ datasets: ['a', 'b'], workers: ['w'] });
    clearDimension('datasets');
    expect(selection.value).toEqual({ time: [1, 2], workers: ['w'] });
    clearSelection();
    expect(isFiltered.value).toBe(false);
  });
});

describe('a selection as JSON', () => {
  it('is what findings carry', () => {
    const json =
      '{"time":[0,0.8],"workers":["tcp://a"],"ranges":[{"column":"outlier","lo":1,"hi":1}]}';
    expect(parseSelection(json)).toEqual(JSON.parse(json));
  });

  it('leaves out what it cannot mean', () => {
    for (const json of [
      '',
      'no json',
      'null',
      '3',
      '[]',
      '{"time":[2,1]}',
      '{"datasets":"a"}',
      '{"ranges":[{"lo":1}]}',
    ]) {
      expect(parseSelection(json)).toEqual({});
    }
    expect(parseSelection('{"files":["a",3,null]}')).toEqual({ files: ['a'] });
  });
});

describe('a selection in the address', () => {
  it('comes back whatever its names hold', () => {
    const selected = {
      datasets: ['a&b', 'c=d#e'],
      files: ['root://x//y z.root'],
      time: [1.5, 2.25] as [number, number],
    };
    const hash = formatPermalink({ urls: [], view: 'compute', selection: selected, embed: false });
    expect(parsePermalink(hash).selection).toEqual(selected);
  });

  it('is absent when there is none', () => {
    expect(formatPermalink({ urls: [], view: 'compute', selection: {}, embed: false })).toBe(
      '#v=2&view=compute',
    );
    expect(parsePermalink('#v=2&view=compute').selection).toBeUndefined();
  });
});
