import { describe, expect, it } from 'vitest';
import { columnList } from '../../web/domain/points';
import { missingText, Table } from '../../web/engine/table';
import { rowsMatching } from '../../web/views/chunks/ChunkListPanel';
import { textColumn } from '../support/tables';

/** Three chunks; the last one has no dataset. */
const table = new Table({
  question: 'chunks',
  rows: 3,
  columns: [textColumn('dataset', [0, 1, missingText]), textColumn('file', [2, 3, 3])],
  strings: ['ttbar', 'Wjets', '/data/2016/a.root', '/data/2017/b.root'],
  notes: {},
});
const found = (words: string) => [...(rowsMatching(table, words) ?? [])];

describe('a search in the list of chunks', () => {
  it('finds every word, in any text, whatever its case', () => {
    expect(found('WJETS')).toEqual([0, 1, 0]);
    expect(found('2017')).toEqual([0, 1, 1]);
    expect(found('2017 wjets')).toEqual([0, 1, 0]);
    expect(found('data ttbar')).toEqual([1, 0, 0]);
    expect(found('nothing')).toEqual([0, 0, 0]);
  });

  it('is no search without a word', () => {
    expect(rowsMatching(table, '  ')).toBeUndefined();
  });

  it('asks for each column once', () => {
    expect(columnList(['chunk', 'events', 'duration', 'events'])).toBe('chunk,events,duration');
  });
});
